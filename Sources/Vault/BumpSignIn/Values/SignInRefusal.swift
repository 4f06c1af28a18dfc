/// The reason why a request is refused. Errors are equal if their codes are.
///
/// No refusal depends on whether an address has an account, or on what others do with the address.
public struct SignInRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of refusal, by its name in the API. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// Lower-case words with hyphens between them.
    public let description: String

    /// This browser has not asked for a code, or its code has lapsed or was used.
    public static let noFlow = Code(description: "no-code-requested")
    /// The code is not the one that was sent for this browser. `triesLeft` is how many more it takes.
    public static let wrongCode = Code(description: "wrong-code")
    /// The browser is not signed in, or its session has ended.
    public static let notSignedIn = Code(description: "not-signed-in")
    /// The request was not signed by the account's wallet, or its time has passed.
    public static let notSigned = Code(description: "wallet-not-signed")
    /// The account has the greatest number of devices.
    public static let tooManyDevices = Code(description: "too-many-devices")
    /// The account has no such device.
    public static let unknownDevice = Code(description: "unknown-device")
    /// The passkey belongs to a device already.
    public static let deviceTaken = Code(description: "device-taken")
    /// The name, the credential's id or the wrapped key is too long, too short or not plain.
    public static let badDevice = Code(description: "bad-device")
  }

  /// The kind of refusal, the only part that `==` compares.
  public let code: Code
  /// What is wrong, for a person. It never repeats the client's input.
  public let reason: String
  /// What to try, as a sentence; `nil` if nothing helps.
  public let remedy: String?
  /// How many more guesses the code takes, with `wrongCode`.
  public let triesLeft: Int64?

  init(_ code: Code, _ reason: String, remedy: String? = nil, triesLeft: Int64? = nil) {
    (self.code, self.reason, self.remedy, self.triesLeft) = (code, reason, remedy, triesLeft)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  static let noFlow = Self(.noFlow, "this browser has no code to enter", remedy: "Ask for a code here")
  static let notSignedIn = Self(.notSignedIn, "you are not signed in", remedy: "Sign in")
  static let notSigned = Self(
    .notSigned, "the wallet has not signed the request, or its time has passed",
    remedy: "Open the wallet on this device, and check the clock")
  static let unknownDevice = Self(.unknownDevice, "the account has no such device", remedy: "Read the devices again")

  static func wrongCode(triesLeft: Int64) -> Self {
    Self(
      .wrongCode, "the code is not the one that was sent for this browser",
      remedy: triesLeft > 0 ? "Compare it with the newest message" : "Ask for a new code", triesLeft: triesLeft)
  }
}
