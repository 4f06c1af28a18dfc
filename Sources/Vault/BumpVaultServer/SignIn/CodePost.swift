#if Vault
  import BumpMail
  import BumpSignIn
  import BumpVaultAPI
  import BumpVaultHTTP
  import BumpWallet
  import Logging

  /// Makes messages of codes, and sends them one after the other.
  ///
  /// Logs say what failed, and name no address and no code.
  struct CodePost: Sendable {
    private let queue: MailQueue
    private let sender: EnvelopeAddress
    private let origin: VaultOrigin
    /// Returns the time in milliseconds since 1970.
    private let clock: @Sendable () -> Int64
    private let logger: Logger

    init(
      _ way: any MailSender, from sender: EnvelopeAddress, for origin: VaultOrigin,
      clock: @escaping @Sendable () -> Int64, _ logger: Logger
    ) {
      (self.sender, self.origin, self.clock, self.logger) = (sender, origin, clock, logger)
      queue = MailQueue(way) { Self.log($0, logger) }
    }

    private static func log(_ failure: MailFailure, _ logger: Logger) {
      logger.error("a code was not sent", metadata: ["reason": "\(failure)"])
    }

    /// The way of the messages, for a person.
    var name: String { queue.name }

    /// Adds a code's message to the queue. Returns at once.
    func send(_ message: CodeMessage, _ language: PageLanguage) {
      guard let outgoing = outgoing(message, language) else {
        return Self.log(MailFailure(.permanent, "an address cannot be written in a message"), logger)
      }
      let end = clock() / 1000 + message.lifetime
      queue.add(outgoing) { [clock] in clock() / 1000 < end }
    }

    /// Returns a code's message; `nil` for an address that is none of an envelope.
    private func outgoing(_ message: CodeMessage, _ language: PageLanguage) -> OutgoingMessage? {
      let letter = CodeLetter(
        code: message.code.digits, host: origin.url?.host ?? "localhost",
        language: CodeLetter.Language(rawValue: language.rawValue) ?? .english)
      let (recipient, text, html): (String, String, String?) =
        switch message.address {
        case .mail(let address): (address.text, letter.plain, letter.html)
        // No name below `.invalid` is anybody's (RFC 2606): the operator's program reads the number from it.
        case .phone(let number): ("\(number.text)@sms.invalid", letter.sms, nil)
        }
      return EnvelopeAddress(recipient).map {
        OutgoingMessage(
          from: sender, to: $0, subject: letter.subject, plain: text, html: html, at: clock() / 1000,
          id: SignIn.systemRandom(16))
      }
    }

    /// Sends messages until the task is cancelled.
    func run() async { await queue.run() }
  }

  extension OpenedSignIn {
    /// Returns what the server needs to sign people in.
    ///
    /// - Parameter domain: the vault's domain, in which wallets sign.
    func desk(_ post: CodePost, in domain: Domain) -> SignInDesk {
      SignInDesk(
        SignIn(store.accounts, keys: keys, domain: domain), mail: plan.way.name,
        phone: plan.way.name == .maildir ? .maildir : nil, send: post.send)
    }
  }
#endif
