/// A store of accounts, apart from the vault's: it holds no money, and the vault's store no address.
///
/// It contains keyed hashes in place of addresses, codes and tokens, and wallets' keys in a form that nobody but their
/// owner can read. See `AccountKeys`.
public protocol AccountStore: Sendable {
  /// Reads rows, lets an operation change them, and writes what it changed, in one transaction. No other operation comes
  /// between. The change is durable when the call returns, also if the calling task is cancelled.
  ///
  /// - Parameter operation: a pure function: it may be run again, on rows that were read again.
  /// - Throws: `AccountStoreError`. The change may have been made.
  func change<Answer: Sendable>(
    _ selection: AccountSelection, _ operation: @escaping @Sendable (inout AccountRows) -> Answer
  ) async throws -> Answer

  /// Reads rows as of one moment.
  ///
  /// - Throws: `AccountStoreError`.
  func rows(_ selection: AccountSelection) async throws -> AccountRows

  /// Deletes what has lapsed: flows; sessions that began before a time; and the addresses of nobody to which no code was
  /// sent since a time.
  ///
  /// - Parameters:
  ///   - now: the time in seconds since 1970.
  ///   - limits: the lifetimes.
  /// - Returns: the number of rows deleted.
  @discardableResult func removeLapsed(at now: Int64, _ limits: SignInLimits) async throws -> Int
}

/// The reason why a store of accounts failed. Errors are equal if their codes are.
public struct AccountStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unusable, otherKeys, failed, damaged }
    private let kind: Kind

    /// The store cannot be opened: a wrong path, a full disk, or not a store of accounts.
    public static let unusable = Code(kind: .unusable)
    /// The store was made with other keys. With these, nobody would find an account.
    public static let otherKeys = Code(kind: .otherKeys)
    /// A read or write failed later on. It is unknown whether the change was made.
    public static let failed = Code(kind: .failed)
    /// A row is not one that this program wrote.
    public static let damaged = Code(kind: .damaged)
  }

  /// The kind of failure, the only part that `==` compares.
  public let code: Code
  /// What failed, for a person. It contains no value of a row.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  public let remedy: String?

  public init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
