/// A value with a secret in it. However it is printed, and whatever it lies in, it prints as `<redacted>`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }
  /// Without children, so that `dump` finds nothing within either.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
