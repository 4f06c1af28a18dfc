/// Why the store failed. Errors are equal if their codes are.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unusable, notNew, drawsSpent, ownClaim, failed }
    private let kind: Kind

    /// The store cannot be opened or written: a wrong path, a read-only mount, a full disk, or not a store.
    public static let unusable = Code(kind: .unusable)
    /// The claim is not there, or stands where it must not be advertised.
    public static let notNew = Code(kind: .notNew)
    /// Three receivers have seen our key in mode open and come to nothing: another would be a draw too many.
    public static let drawsSpent = Code(kind: .drawsSpent)
    /// The claim that came was made in this very store: it is not income.
    public static let ownClaim = Code(kind: .ownClaim)
    /// A read or write failed later on.
    public static let failed = Code(kind: .failed)
  }

  public let code: Code
  /// One sentence for a person: what failed, and what to try.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
