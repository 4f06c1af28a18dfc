public import BumpClaims

/// A sender that is remembered here, and the key for its claims. Only the key proves who it is: its announcement names
/// no key, and it calls itself what it likes.
public struct RememberedSender: Hashable, Sendable {
  /// The name under which the sender is remembered here.
  public let name: DisplayName
  /// The key for claims from the sender.
  public let key: SharedKey

  /// Makes a remembered sender.
  public init(name: DisplayName, key: SharedKey) { (self.name, self.key) = (name, key) }
}
