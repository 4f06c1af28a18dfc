public import BumpSignIn

/// Signing in, as a server offers it: the rules, and the ways by which codes reach people.
public struct SignInDesk: Sendable {
  /// A way by which codes are sent, by its name in `GET /api/vault`.
  public enum Way: String, Hashable, Sendable {
    /// Into a directory, where the operator reads them.
    case maildir
    /// By mail.
    case smtp
  }

  let rules: SignIn
  /// How codes are sent to e-mail addresses, and to phones; `nil` if none are sent to phones.
  let mail: Way
  let phone: Way?
  /// Takes a code that is to be sent, and a language of the page for its message. Returns at once, whatever becomes of the
  /// message: a browser must not learn from the time of its answer whether a code was sent.
  let send: @Sendable (CodeMessage, PageLanguage) -> Void

  public init(
    _ rules: SignIn, mail: Way, phone: Way?, send: @escaping @Sendable (CodeMessage, PageLanguage) -> Void
  ) {
    (self.rules, self.mail, self.phone, self.send) = (rules, mail, phone, send)
  }
}
