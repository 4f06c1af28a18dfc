public import BumpClaims
public import BumpWallet

/// Where a vault keeps its money. A store reads rows and carries changes out; it decides nothing but whether the
/// conditions of a change still hold.
///
/// Several vaults, in several processes, may share a store. A call that has begun ends, even where its task is cancelled.
public protocol VaultStore: Sendable {
  /// The vault's, drawn when the store was made.
  func identity() async throws -> VaultIdentity

  func rows(of claim: ClaimID) async throws -> ClaimRows
  func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows
  /// The id under which a claim of this ledger id was deposited; `nil` where none was.
  func claimID(of ledgerID: Bytes32) async throws -> ClaimID?
  func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows

  /// Carries a change out, in one transaction, durably: the claim's row, then the sender's count, then the balance, always
  /// in that order; then the journal. Each update has its condition in it, and its time is the store's at that moment.
  ///
  /// A store may put several changes into one transaction. Where the conditions of one do not hold, the others are
  /// carried out all the same.
  ///
  /// - Returns: `nil` where a condition does not hold: nothing was changed, and the rows are to be read again.
  /// - Throws: `VaultStoreError.outcomeUnknown` where the connection was lost at the commit: the rows say which it was.
  func commit(_ change: Change) async throws -> Committed?

  /// Balances by token, without those that are zero.
  func balances(of account: Address) async throws -> [Address: Int64]

  /// An account's journal entries, the latest first.
  ///
  /// - Parameters:
  ///   - number: those before this one only; `nil` for the latest.
  ///   - limit: how many at the most.
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry]

  /// Deletes drafts that have lapsed.
  ///
  /// - Parameter lifetime: a draft's, in seconds.
  /// - Returns: how many.
  @discardableResult func removeDrafts(lifetime: Int64) async throws -> Int

  /// Seals entries that are committed and not sealed yet, in the journal's order.
  ///
  /// - Parameter limit: how many at the most.
  /// - Returns: `nil` where there are none, or somebody else sealed them meanwhile.
  @discardableResult func seal(limit: Int) async throws -> Batch?

  /// A sealed batch, for the audit.
  ///
  /// - Returns: `nil` where there is none of that number yet.
  func batch(_ number: Int64) async throws -> SealedBatch?

  /// All that is not sealed or is not journal, as it stands at one moment, for the audit.
  func standing() async throws -> Standing
}

extension VaultStore {
  /// The store's time, in seconds since 1970. Each look at a claim says it, also at one that is not there.
  public func currentTime() async throws -> Int64 {
    try await rows(of: ClaimID(random: [UInt8](repeating: 0, count: 16))).now
  }
}

/// An entry with its place in the journal.
public struct NumberedEntry: Hashable, Sendable {
  /// Later entries have greater ones. There may be gaps.
  public let number: Int64
  public let entry: JournalEntry

  public init(number: Int64, entry: JournalEntry) {
    (self.number, self.entry) = (number, entry)
  }
}

/// Why a store failed to do what it was asked for.
public struct VaultStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unusable, copied, outdated, failed, damaged, outcomeUnknown }
    private let kind: Kind

    /// The store cannot be opened: a wrong path, a read-only mount, a full disk, or not a vault's store.
    public static let unusable = Code(kind: .unusable)
    /// The store is a copy of another, or was moved.
    public static let copied = Code(kind: .copied)
    /// The store has lost what it had once written: it is a backup in the place of the store.
    public static let outdated = Code(kind: .outdated)
    /// A read or write failed later on. A repeat of the request tells what was done, and does the rest.
    public static let failed = Code(kind: .failed)
    /// A row is not what the vault has written.
    public static let damaged = Code(kind: .damaged)
    /// The change was carried out or it was not: the answer was lost.
    public static let outcomeUnknown = Code(kind: .outcomeUnknown)
  }

  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, a sentence; `nil` where the reason says it, or nothing helps.
  public let remedy: String?

  public init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
