import BumpWallet

/// The rows that an operation has read, and changes.
package struct ChainRows: Sendable {
  package let vault: DeployedVault
  /// The store's time, in seconds since 1970.
  package let now: Int64
  /// Whether the whole index is deleted before the changes are written.
  package internal(set) var forgetsIndex = false
  var refusal: SponsoringRefusal?
  private var before: [StoredChainRow.Place: StoredChainRow] = [:]
  private var after: [StoredChainRow.Place: StoredChainRow] = [:]

  package init(_ vault: DeployedVault, now: Int64) { (self.vault, self.now) = (vault, now) }

  /// Takes rows that were read.
  package mutating func take(_ rows: [StoredChainRow]) {
    for row in rows { (before[row.place], after[row.place]) = (row, row) }
  }

  /// The rows to write in place of those that have their keys, and the places of those to delete.
  package var changes: (written: [StoredChainRow], deleted: [StoredChainRow.Place]) {
    (after.values.filter { before[$0.place] != $0 }, before.keys.filter { after[$0] == nil })
  }

  func row<Row: ChainStoredRow>(_ key: [UInt8], of _: Row.Type = Row.self) throws(ChainStoreError) -> Row? {
    guard let stored = after[StoredChainRow.Place(table: Row.table, key: key)] else { return nil }
    return try Row(stored: stored)
  }

  /// Returns all rows of a kind that were read, in the order of their keys.
  func rows<Row: ChainStoredRow>(of _: Row.Type = Row.self) throws(ChainStoreError) -> [Row] {
    var rows: [Row] = []
    for stored in after.values where stored.place.table == Row.table { rows.append(try Row(stored: stored)) }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  mutating func put(_ row: some ChainStoredRow) {
    let stored = row.stored
    after[stored.place] = stored
  }

  mutating func remove(_ row: some ChainStoredRow) { after[row.stored.place] = nil }
}

/// One transaction of a store: what it reads, and what it then changes. It has no socket or file, and may be run again on
/// rows that were read again.
package struct ChainOperation: Sendable {
  /// Whether it may change something.
  package let writes: Bool
  private let queries: @Sendable (ChainRows) throws -> [ChainQuery]
  private let body: @Sendable (inout ChainRows) throws -> Void

  init(reading queries: @escaping @Sendable (ChainRows) throws -> [ChainQuery]) {
    (self.queries, writes, body) = (queries, false, { _ in })
  }

  init(
    _ queries: @escaping @Sendable (ChainRows) throws -> [ChainQuery],
    writing body: @escaping @Sendable (inout ChainRows) throws -> Void
  ) {
    (self.queries, self.body, writes) = (queries, body, true)
  }

  /// Makes an operation of a lease's holder. It writes nothing for another.
  init(
    _ lease: ChainLease, _ queries: @escaping @Sendable (ChainRows) throws -> [ChainQuery],
    writing body: @escaping @Sendable (inout ChainRows) throws -> Void
  ) {
    self.init({ [.key(.leases, lease.key.bytes), .key(.state, StateRow.key)] + (try queries($0)) }) { rows in
      guard try rows.row(lease.key.bytes, of: LeaseRow.self)?.lease == lease else {
        throw ChainStoreError(.leaseLost, "another process has taken the lease of the relayer's key")
      }
      try body(&rows)
      let changes = rows.changes
      guard !changes.written.isEmpty || !changes.deleted.isEmpty,
        var state = try rows.row(StateRow.key, of: StateRow.self)
      else { return }
      state.revision += 1
      rows.put(state)
    }
  }

  /// Returns the questions that are to be asked now: some follow from the rows of others. Ask until there are none.
  package func questions(_ rows: ChainRows, asked: Set<ChainQuery>) throws -> Set<ChainQuery> {
    Set(try queries(rows)).subtracting(asked)
  }

  /// Changes the rows, once all questions are answered.
  package func change(_ rows: inout ChainRows) throws { try body(&rows) }
}

/// A store whose rows are in tables. All that a `ChainStore` promises follows from this one call.
package protocol ChainTables: ChainStore {
  /// Carries an operation out in one transaction, durably, to its end even if the calling task is cancelled.
  ///
  /// - Returns: the rows as they are now.
  func run(_ operation: ChainOperation) async throws -> ChainRows
}
