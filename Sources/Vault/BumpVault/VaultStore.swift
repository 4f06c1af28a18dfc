public import BumpClaims
public import BumpWallet

/// A store in which a vault keeps its money. A store reads rows and carries changes out. Its only decision is whether
/// the conditions of a change still hold. Every call throws `VaultStoreError` if the store fails.
///
/// Several vaults, in several processes, may share a store. A call that has begun is completed even if its task is
/// cancelled.
public protocol VaultStore: AuditSource {
  /// Returns the vault's identity, which was drawn when the store was made.
  func identity() async throws -> VaultIdentity

  /// Returns the rows for a decision about a claim.
  func rows(of claim: ClaimID) async throws -> ClaimRows
  /// Returns the rows for a decision about a deposit of a sender.
  func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows
  /// Returns the id under which a claim of this ledger id was deposited; `nil` if there is none.
  func claimID(of ledgerID: Bytes32) async throws -> ClaimID?
  /// Returns the rows for a decision about a mint of a token.
  func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows

  /// Carries a change out, in one transaction, durably: the claim's row, then the sender's count, then the balance,
  /// always in that order; then the journal. Each update contains its condition, and uses the store's time at that
  /// moment.
  ///
  /// A store may carry out several changes in one transaction. If the conditions of one do not hold, the others are
  /// carried out nevertheless.
  ///
  /// - Returns: `nil` if a condition does not hold. Then nothing was changed, and the caller must read the rows again.
  /// - Throws: `VaultStoreError`. The change may have been carried out: it can be repeated, and is done once.
  func commit(_ change: Change) async throws -> Committed?

  /// Returns an account's balances by token, without those that are zero.
  func balances(of account: Address) async throws -> [Address: Int64]

  /// Returns an account's journal entries, the latest first.
  ///
  /// - Parameters:
  ///   - number: only entries before this one are returned; `nil` for the latest.
  ///   - limit: the greatest number of entries to return.
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry]

  /// Writes the time, so that a vault that is opened later knows how far it had come. Call this each minute.
  func keepTime() async throws

  /// Records that the operator has confirmed the clock: from now on it is believed.
  @discardableResult func confirmClock() async throws -> StoreTime

  /// Deletes drafts that have lapsed.
  ///
  /// - Parameter lifetime: how long a draft lasts, in seconds.
  /// - Returns: the number of drafts deleted.
  @discardableResult func removeDrafts(lifetime: Int64) async throws -> Int

  /// Seals entries that are committed but not sealed yet, in the journal's order.
  ///
  /// - Parameter limit: the greatest number of entries to seal.
  /// - Returns: the batch; `nil` if there are no such entries, or another process sealed them meanwhile.
  @discardableResult func seal(limit: Int) async throws -> Batch?

  /// Runs an audit. A store that can read everything as of one moment passes such a source, which nothing moves under;
  /// others pass themselves.
  func auditing(_ body: @escaping @Sendable (any AuditSource) async throws -> AuditReport) async throws -> AuditReport
}

/// The rows that an audit reads. Reading throws `VaultStoreError` if the store fails.
public protocol AuditSource: Sendable {
  /// Returns a sealed batch.
  ///
  /// - Returns: `nil` if there is no batch of that number yet.
  func batch(_ number: Int64) async throws -> SealedBatch?

  /// Returns everything that the sealed batches do not contain, as of one moment.
  func snapshot() async throws -> StoreSnapshot
}

extension VaultStore {
  public func auditing(
    _ body: @escaping @Sendable (any AuditSource) async throws -> AuditReport
  ) async throws -> AuditReport {
    try await body(self)
  }

  /// Returns the store's time. It reads the rows of a claim that does not exist, which contain it.
  public func currentTime() async throws -> StoreTime {
    try await rows(of: ClaimID(drawing: { [UInt8](repeating: 0, count: 16) })).time
  }
}

/// A journal entry with its position in the journal.
public struct NumberedEntry: Hashable, Sendable {
  /// The position. Later entries have greater ones. There may be gaps.
  public let number: Int64
  /// The movement of money at this position.
  public let entry: JournalEntry

  /// Makes an entry with its position, which `VaultStore.history(of:before:limit:)` takes as `before`.
  public init(number: Int64, entry: JournalEntry) {
    (self.number, self.entry) = (number, entry)
  }
}

/// The reason why a store failed.
public struct VaultStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unusable, copied, outdated, failed, damaged }
    private let kind: Kind

    /// The store cannot be opened: a wrong path, a read-only mount, a full disk, or not a vault's store.
    public static let unusable = Code(kind: .unusable)
    /// The store is a copy of another, or was moved.
    public static let copied = Code(kind: .copied)
    /// The store has lost something that it had written: a backup was put in its place.
    public static let outdated = Code(kind: .outdated)
    /// A read or write failed later on. Repeating the request shows what was done, and does the rest.
    public static let failed = Code(kind: .failed)
    /// A row is not one that the vault wrote.
    public static let damaged = Code(kind: .damaged)
  }

  /// The kind of failure, the only part that `==` compares.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  public let remedy: String?

  /// Makes an error. Both texts are logged: they must contain no claim's id, address or secret.
  public init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
