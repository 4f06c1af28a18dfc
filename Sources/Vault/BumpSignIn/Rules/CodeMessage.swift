public import BumpText

/// A code on its way to an address. It prints as `<redacted>`.
public struct CodeMessage: Sendable, Redacted {
  public let address: SignInAddress
  public let code: OneTimeCode
  /// How long the code lasts, in seconds.
  public let lifetime: Int64
}
