/// The kinds of rows. All have the same shape, so that a database needs few statements: a key; what else a row is looked
/// up by; and a body with all of its values.
package enum ChainTable: String, CaseIterable, Sendable {
  case state, leases, headers, events, drafts, requests, entries, usages, reservations
}

/// A row as a database has it.
package struct StoredChainRow: Hashable, Sendable {
  /// The table and the key.
  package struct Place: Hashable, Sendable {
    package let table: ChainTable
    package let key: [UInt8]
  }

  package let place: Place
  /// What it belongs to: a claim's ledger id, or a call's id.
  package let first: [UInt8]?
  /// An event's account.
  package let second: [UInt8]?
  /// When it began, if it waits or may lapse.
  package let number: Int64?
  package let body: [UInt8]

  package init(
    _ table: ChainTable, key: [UInt8], first: [UInt8]?, second: [UInt8]?, number: Int64?, body: [UInt8]
  ) {
    place = Place(table: table, key: key)
    (self.first, self.second, self.number, self.body) = (first, second, number, body)
  }
}

/// A question to a database. Keys are ordered as bytes are.
package enum ChainQuery: Hashable, Sendable {
  /// The row with a key.
  case key(ChainTable, [UInt8])
  /// The rows whose keys are at least the first and below the second, the least first, or the greatest.
  case range(ChainTable, [UInt8], [UInt8], limit: Int, isDescending: Bool)
  /// The rows of a kind with these bytes in `first`.
  case first(ChainTable, [UInt8])
  /// The rows with these bytes in `second` and keys below another, the greatest first.
  case second(ChainTable, [UInt8], below: [UInt8], limit: Int)
  /// The rows whose numbers are below another, the least first.
  case number(ChainTable, below: Int64, limit: Int)

  /// Returns the question for all rows whose keys begin with some bytes.
  static func prefix(_ table: ChainTable, _ bytes: [UInt8], limit: Int = .max) -> Self {
    .range(table, bytes, bytes + [UInt8](repeating: 0xff, count: 33), limit: limit, isDescending: false)
  }
}
