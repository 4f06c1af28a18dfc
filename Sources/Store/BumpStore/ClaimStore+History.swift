import GRDB

extension ClaimStore {
  /// Returns the claims sent and received, the newest first.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of entries to return.
  ///   - now: the time by which a released claim's deadline is judged.
  /// - Throws: `StoreError`.
  public func history(limit: Int, at now: ClockReading = .now()) async throws -> [HistoryEntry] {
    try await read { database in
      let sent = try Row.fetchAll(
        database, sql: "SELECT * FROM outgoing ORDER BY createdAt DESC, rowid DESC LIMIT ?", arguments: [limit]
      ).map { HistoryEntry.sent(try OutgoingClaim($0, at: now)) }
      let received = try Row.fetchAll(
        database, sql: "SELECT * FROM incoming ORDER BY receivedAt DESC, rowid DESC LIMIT ?", arguments: [limit]
      ).map { HistoryEntry.received(try IncomingClaim($0)) }
      // In the same second, a claim is received after it was sent. The sort is stable.
      return Array((received + sent).sorted { $0.time > $1.time }.prefix(limit))
    }
  }
}

extension HistoryEntry {
  /// When the claim was made or stored, in seconds since 1970.
  public var time: Int64 {
    switch self {
    case .sent(let claim): claim.createdAt
    case .received(let claim): claim.receivedAt
    }
  }
}
