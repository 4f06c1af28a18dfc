#if Vault
  import ArgumentParser
  import BumpMail
  import Foundation

  /// The options for signing in.
  struct SignInOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Sign people in by codes, and keep their encrypted wallets. The codes go into a directory, maildir:/path, where you read them, or by mail: smtp://user@host:587 with STARTTLS, smtps://user@host:465 with TLS, or smtp://localhost:25?tls=none. Without the option nobody can sign in.",
        valueName: "way"))
    var signIn: String?

    @Option(
      help: ArgumentHelp(
        "The address that sends the codes. It is required with smtp:// and smtps://.", valueName: "address"))
    var signInSender: String?

    @Option(
      help: ArgumentHelp(
        "The file of the key that hashes people's addresses (or BUMP_VAULT_SIGN_IN_KEY, by default beside the vault's file, or $XDG_DATA_HOME/bump/accounts.key for a database). A missing file is made. All servers of a vault need the same key.",
        valueName: "path"))
    var signInKey: String?

    @Option(
      help: ArgumentHelp(
        "A file with the password for the mail server, in one line (or BUMP_SMTP_PASSWORD).", valueName: "path"))
    var smtpPasswordFile: String?

    @Option(help: ArgumentHelp("Codes a minute for which one IPv4 address or IPv6 /64 may ask.", valueName: "number"))
    var signInsPerMinute = 30

    /// Checks the options. Nothing is opened yet.
    ///
    /// - Returns: `nil` if nobody is to sign in.
    /// - Throws: `Failure`.
    func plan() throws -> SignInPlan? {
      guard (1...10_000_000).contains(signInsPerMinute) else {
        throw Failure.usage("--sign-ins-per-minute is 1 to 10000000")
      }
      let environment = ProcessInfo.processInfo.environment
      guard let signIn else {
        for (name, value) in [
          ("sign-in-sender", signInSender), ("sign-in-key", signInKey), ("smtp-password-file", smtpPasswordFile),
        ] where value != nil {
          throw Failure.usage("--\(name) belongs to --sign-in")
        }
        return nil
      }
      let way = try CodeWay(signIn) {
        try SMTPPassword.read(smtpPasswordFile, environment["BUMP_SMTP_PASSWORD"])
      }
      if case .maildir = way, smtpPasswordFile != nil {
        throw Failure.usage("--smtp-password-file belongs to --sign-in smtp:// or smtps://")
      }
      return SignInPlan(
        way: way, sender: try sender(way),
        key: signInKey ?? environment["BUMP_VAULT_SIGN_IN_KEY"].flatMap { $0.isEmpty ? nil : $0 })
    }

    private func sender(_ way: CodeWay) throws -> EnvelopeAddress {
      guard let signInSender else {
        guard case .maildir = way, let usual = EnvelopeAddress("bump@localhost") else {
          throw Failure.usage(
            "--sign-in-sender is missing. It is the address that sends codes, such as codes@vault.example")
        }
        return usual
      }
      guard let sender = EnvelopeAddress(signInSender) else {
        throw Failure.usage("--sign-in-sender is an e-mail address in ASCII, such as codes@vault.example")
      }
      return sender
    }
  }

  /// What the options for signing in say.
  struct SignInPlan: Sendable {
    let way: CodeWay
    let sender: EnvelopeAddress
    /// The path of the file of the accounts' key; `nil` for the usual one.
    let key: String?
  }
#endif
