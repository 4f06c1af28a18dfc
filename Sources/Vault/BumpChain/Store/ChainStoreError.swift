/// The reason why the store of a vault on a chain failed. Errors are equal if their codes are.
public struct ChainStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unusable, otherVault, leaseLost, badStep, failed, damaged }
    private let kind: Kind

    /// The store cannot be opened: a wrong path, a full disk, or not a store of a vault on a chain.
    public static let unusable = Code(kind: .unusable)
    /// The store is that of another contract, or of one on another chain.
    public static let otherVault = Code(kind: .otherVault)
    /// Another process holds the key's lease meanwhile. Nothing was written: stop sending, and take the lease again.
    public static let leaseLost = Code(kind: .leaseLost)
    /// A step does not begin at a block of the index that may be kept, or contains what the contract cannot do. Nothing
    /// was written: begin anew behind the headers of the store.
    public static let badStep = Code(kind: .badStep)
    /// A read or write failed later on. It is unknown whether the change was made: it may be repeated.
    public static let failed = Code(kind: .failed)
    /// A row is not one that this program wrote.
    public static let damaged = Code(kind: .damaged)
  }

  /// The kind of failure, the only part that `==` compares.
  public let code: Code
  /// What failed, for a person. It contains no claim's id, address or proof.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  public let remedy: String?

  /// Makes an error. Both texts are logged.
  public init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
