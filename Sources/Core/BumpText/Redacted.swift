/// A value that contains a secret. It prints as `<redacted>`, also within other values.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
