import BumpSystem
import BumpText
import CHTTP
import Glibc

/// A server that takes messages by SMTP (RFC 5321, 6409).
package struct SMTPServer: MailSender {
  /// The encryption of the connection.
  package enum Security: String, Sendable, CaseIterable {
    /// TLS after STARTTLS (RFC 3207), which is required: a server that does not offer it gets nothing.
    case startTLS = "starttls"
    /// TLS from the beginning (RFC 8314).
    case tls
    /// None: for a server on this machine.
    case none
  }

  /// The name and password of a user. They print as `<redacted>`.
  package struct Credentials: Sendable, Redacted {
    let user: String
    let password: String

    /// Returns `nil` for an empty name, and for texts with a zero byte or a line end.
    package init?(user: String, password: String) {
      guard !user.isEmpty, (user + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
      (self.user, self.password) = (user, password)
    }
  }

  package let host: String
  package let port: UInt16
  package let security: Security
  let credentials: Credentials?
  /// The path of a file of certificates in PEM that are trusted in place of the system's; `nil` for the system's.
  let roots: String?
  let connectLimit: Duration
  let limit: Duration
  let farewell: Duration

  package var name: String { "the mail server \(host):\(port)" }

  /// - Parameters:
  ///   - host: a name, or an IP address without brackets.
  ///   - connectLimit: how long connecting may take, including TLS.
  ///   - limit: how long all of it may take.
  ///   - farewell: how long a message may still take whose task is cancelled.
  /// - Throws: `MailFailure` for a host that is none, and where a message or a password would leave this machine
  ///   unencrypted.
  package init(
    host: String, port: UInt16, security: Security, credentials: Credentials? = nil, roots: String? = nil,
    connectLimit: Duration = .seconds(10), limit: Duration = .seconds(30), farewell: Duration = .seconds(5)
  ) throws(MailFailure) {
    var address = in6_addr()
    let isAddress = host.wholeMatch(of: /[0-9A-Fa-f:.]+/) != nil && inet_pton(AF_INET6, host, &address) == 1
    guard isAddress || host.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.-]{0,252}/) != nil, port > 0 else {
      throw MailFailure(.configuration, "the mail server is not a host and a port", remedy: "Name it as host:port")
    }
    guard security != .none || LoopbackHost.contains(host) else {
      throw MailFailure(
        .configuration, "codes would be sent over the network without encryption",
        remedy: "Use STARTTLS or TLS with a mail server on another machine")
    }
    (self.host, self.port, self.security, self.credentials) = (host, port, security, credentials)
    (self.roots, self.connectLimit, self.limit, self.farewell) = (roots, connectLimit, limit, farewell)
  }

  /// The URL for libcurl.
  ///
  /// - Parameter client: the name of this machine in EHLO.
  func url(_ client: String) -> String {
    let authority = host.contains(":") ? "[\(host)]" : host
    return "\(security == .tls ? "smtps" : "smtp")://\(authority):\(port)/\(client)"
  }

  package func send(_ message: OutgoingMessage) async throws(MailFailure) {
    guard let call = SMTPCall() else {
      throw MailFailure(.configuration, "libcurl is not installed here", remedy: "Install it")
    }
    let answer = await withTaskCancellationHandler {
      await onThread { call.send(message, to: self) }
    } onCancel: {
      call.cancel()
    }
    if let failure = failure(answer) { throw failure }
  }

  private var denied: MailFailure {
    MailFailure(
      .configuration, "\(name) rejects the user and the password, or requires them",
      remedy: "Correct them in the configuration")
  }

  /// Returns the failure of an answer; `nil` if the message was accepted.
  func failure(_ answer: bump_smtp_answer) -> MailFailure? {
    let reason = withUnsafeBytes(of: answer.reason) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    switch answer.end {
    case BUMP_SMTP_ACCEPTED: return nil
    // It wants a user, or another way to sign in (RFC 4954 §6).
    case BUMP_SMTP_REFUSED where [530, 534, 538].contains(answer.status): return denied
    case BUMP_SMTP_REFUSED:
      return MailFailure(
        answer.status < 500 ? .temporary : .permanent, "\(name) has refused a message with status \(answer.status)")
    // The password may be right (RFC 4954 §6).
    case BUMP_SMTP_DENIED where (400..<500).contains(answer.status):
      return MailFailure(.temporary, "\(name) cannot check the password now, and says so with status \(answer.status)")
    case BUMP_SMTP_DENIED: return denied
    case BUMP_SMTP_NO_TLS:
      return MailFailure(
        .configuration, "no TLS connection can be made with \(name)",
        remedy: security == .tls ? "It may need STARTTLS" : "It may need TLS from the beginning, often at port 465")
    case BUMP_SMTP_UNTRUSTED:
      return MailFailure(
        .configuration, "the certificate of \(name) is not trusted here, or is another host's",
        remedy: "Name the host as its certificate does, and the authority that has signed it")
    case BUMP_SMTP_LOST: return MailFailure(.unknown, "\(name) has not answered a message: \(reason)")
    default: return MailFailure(.temporary, "\(name) cannot be reached: \(reason)")
    }
  }
}
