/// The limits of signing in. Times are seconds.
///
/// How likely a guess succeeds follows from what is counted. A guess is compared with the one code of the guesser's own
/// flow. A code takes `triesPerCode` guesses while it lasts, and an address gets at most `codesPerDay` codes in any
/// period of a day and a code's lifetime together. So each guess of a day is made at one of those codes, and all of them
/// open an account with a probability of at most `guessesPerDay` / 10^`digits`, whoever makes them, from however many
/// browsers: 5·10⁻⁵ by default.
public struct SignInLimits: Hashable, Sendable {
  /// How many digits a code has.
  public let digits: Int
  /// How many guesses a code takes.
  public let triesPerCode: Int64
  /// How many codes are sent to one address in any hour, and in any day. They also limit how much mail somebody can make
  /// this server send to a stranger.
  public let codesPerHour: Int
  public let codesPerDay: Int
  /// How long a code lasts that is sent by mail, and one that is sent to a phone.
  public let mailLifetime: Int64
  public let phoneLifetime: Int64
  /// How long a session lasts. Using it does not make it longer.
  public let sessionLifetime: Int64
  /// How old a session's token becomes before it is replaced.
  public let tokenLifetime: Int64
  /// How long a replaced token is still taken: requests that were sent together arrive one after the other.
  public let tokenGrace: Int64
  /// How many sessions an account has at once. Another one ends the oldest.
  public let sessions: Int
  /// How many devices an account has at once.
  public let devices: Int

  /// Makes limits.
  public init(
    digits: Int = 6, triesPerCode: Int64 = 5, codesPerHour: Int = 5, codesPerDay: Int = 10, mailLifetime: Int64 = 600,
    phoneLifetime: Int64 = 300, sessionLifetime: Int64 = 7 * 86_400, tokenLifetime: Int64 = 3600,
    tokenGrace: Int64 = 60, sessions: Int = 20, devices: Int = 5
  ) {
    precondition((4...9).contains(digits), "a code has 4 to 9 digits")
    precondition(triesPerCode > 0 && codesPerHour > 0 && codesPerDay > 0, "somebody must be able to sign in")
    precondition(mailLifetime > 0 && phoneLifetime > 0 && sessionLifetime > 0, "a lifetime is longer than nothing")
    precondition(sessions > 0 && devices > 0, "an account has a session and a device")
    (self.digits, self.triesPerCode) = (digits, triesPerCode)
    (self.codesPerHour, self.codesPerDay) = (codesPerHour, codesPerDay)
    (self.mailLifetime, self.phoneLifetime) = (mailLifetime, phoneLifetime)
    (self.sessionLifetime, self.tokenLifetime, self.tokenGrace) = (sessionLifetime, tokenLifetime, tokenGrace)
    (self.sessions, self.devices) = (sessions, devices)
  }

  /// The greatest number of guesses at an account's codes in any day.
  public var guessesPerDay: Int64 { triesPerCode * Int64(codesPerDay) }

  /// The number of codes.
  public var codes: Int64 { (0..<digits).reduce(1) { product, _ in product * 10 } }

  /// How long the codes of an address are remembered: the last guess of a day may be at a code that was sent one lifetime
  /// before the day began.
  public var codeMemory: Int64 { 86_400 + max(mailLifetime, phoneLifetime) }

  func lifetime(to address: SignInAddress) -> Int64 {
    switch address {
    case .mail: mailLifetime
    case .phone: phoneLifetime
    }
  }
}
