/// The limits of a claim's parts. Sizes are bytes.
public enum ClaimLimits {
  /// A claim id: room for a UUID or a hash, short enough for a QR code.
  public static let claimID = 1...64
  /// 128 random bits cannot be guessed.
  public static let secret = 16
  /// A token's ticker.
  public static let token = 1...12
  /// A display name: what fits one DNS label, and MultipeerConnectivity's own limit.
  public static let displayName = 63
  /// A claim payload.
  public static let claim = 1024
  /// A link's MAC, truncated to 128 bits to keep the QR code small.
  public static let linkMAC = 16
  /// A claim link. The longest one with a sensible base is far below this limit.
  public static let link = 1024
  /// How many attempts at the digits a claim has, over all its bumps in mode open. The limit keeps it unlikely that an
  /// attacker in the middle draws the same digits for both ends: see `AttemptBudget` in BumpSession.
  public static let attempts = 3
}
