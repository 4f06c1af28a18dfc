#if Vault
  import BumpMail
  import BumpSystem
  import BumpText
  import BumpVaultHTTP
  import Foundation

  /// The way by which codes are sent.
  enum CodeWay: Sendable {
    /// Into the Maildir at an absolute path.
    case maildir(String)
    case smtp(SMTPServer)

    /// Reads `maildir:/path`, `smtp://user@host:port` or `smtps://user@host:port`, with the parameters `tls=none`, for a
    /// server on this machine, and `roots`, for a file of trusted certificates.
    ///
    /// - Parameter password: reads the password of a user.
    /// - Throws: `Failure`. Its message repeats no part of the text, which may contain a password.
    init(_ text: String, password: () throws -> String) throws {
      if text.hasPrefix("maildir:") {
        let path = String(text.dropFirst("maildir:".count))
        guard path.hasPrefix("/"), !path.contains("\0") else {
          throw Failure.usage("--sign-in maildir: takes an absolute path, such as maildir:/var/lib/bump-vault/codes")
        }
        self = .maildir(path)
        return
      }
      self = .smtp(try Self.server(text, password))
    }

    private static let form =
      "--sign-in is maildir:/path, smtp://user@host:587, smtps://user@host:465 or smtp://localhost:25?tls=none"

    private static func server(_ text: String, _ password: () throws -> String) throws -> SMTPServer {
      guard
        let url = URLComponents(string: text), let scheme = url.scheme, ["smtp", "smtps"].contains(scheme),
        let host = url.host, url.path.isEmpty || url.path == "/", url.fragment == nil
      else { throw Failure.usage(form) }
      guard url.password == nil else {
        throw Failure.usage(
          "a password in --sign-in can be seen by others. Use BUMP_SMTP_PASSWORD or --smtp-password-file")
      }
      var (security, roots) = (scheme == "smtps" ? SMTPServer.Security.tls : .startTLS, nil as String?)
      for item in url.queryItems ?? [] {
        switch (item.name, item.value) {
        case ("tls", "none") where scheme == "smtp": security = .none
        case ("roots", let path?) where path.hasPrefix("/"): roots = path
        default: throw Failure.usage("--sign-in takes the parameters tls=none, with smtp://, and roots=/path")
        }
      }
      guard let port = UInt16(exactly: url.port ?? (scheme == "smtps" ? 465 : 587)) else { throw Failure.usage(form) }
      do {
        return try SMTPServer(
          host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), port: port, security: security,
          credentials: try url.user.map { try credentials($0, password) }, roots: roots)
      } catch let failure as MailFailure {
        throw Failure.usage("--sign-in: \(failure)")
      }
    }

    private static func credentials(
      _ user: String, _ password: () throws -> String
    ) throws -> SMTPServer.Credentials {
      guard let credentials = SMTPServer.Credentials(user: user, password: try password()) else {
        throw Failure.usage("the mail server's user is empty, or the user or the password has control characters")
      }
      return credentials
    }

    /// The name of the way in the API.
    var name: SignInDesk.Way {
      switch self {
      case .maildir: .maildir
      case .smtp: .smtp
      }
    }

    /// Opens the way.
    ///
    /// - Throws: `MailFailure`.
    func open() throws -> any MailSender {
      switch self {
      case .maildir(let path): try Maildir(path)
      case .smtp(let server): server
      }
    }
  }

  /// The password for a mail server, from a file or the environment: arguments can be seen by other users.
  enum SMTPPassword {
    private static let limit = 1024

    /// - Parameters:
    ///   - path: the file; `nil` for none.
    ///   - variable: the value of the environment's variable.
    /// - Throws: `Failure`.
    static func read(_ path: String?, _ variable: String?) throws -> String {
      guard let path else {
        guard let variable, !variable.isEmpty else {
          throw Failure.usage("the mail server's user has no password. Use BUMP_SMTP_PASSWORD or --smtp-password-file")
        }
        return variable
      }
      do {
        var bytes = try PrivateFile.read(path, limit: limit, isWhole: true)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw Failure("the password file \(path) is not text in UTF-8")
        }
        return text
      } catch let failure as PrivateFile.Failure {
        let remedy = failure.remedy(for: path).map { ". Try: \(ShellCommand.text($0))" } ?? ""
        throw Failure("the password file \(path) \(failure.refusal)\(remedy)")
      }
    }
  }
#endif
