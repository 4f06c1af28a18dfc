public import BumpClaims
import GRDB

extension ClaimStore {
  /// Which claims: those made in this store, or those received.
  public enum Direction: String, Sendable { case outgoing, incoming }

  /// Returns the ids that begin with a prefix, sorted.
  ///
  /// - Parameter limit: the greatest number of ids to return.
  /// - Throws: `StoreError`.
  public func ids(beginningWith prefix: ClaimID, of direction: Direction, limit: Int) async throws -> [ClaimID] {
    try await read { database in
      try String.fetchAll(
        database, sql: Self.prefixQuery(direction), arguments: ["prefix": prefix.description, "limit": limit]
      ).map { try ClaimID($0) }
    }
  }

  /// Returns the newest claim made in this store. That is the one in the last row, since a clock can be set back.
  ///
  /// - Parameter now: the time by which a released claim's deadline is judged.
  /// - Throws: `StoreError`.
  public func newestOutgoing(at now: ClockReading = .now()) async throws -> OutgoingClaim? {
    try await read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM outgoing ORDER BY rowid DESC LIMIT 1")
        .map { try OutgoingClaim($0, at: now) }
    }
  }

  /// No character of an id sorts after `z`, and `{` does.
  static func prefixQuery(_ direction: Direction) -> String {
    """
    SELECT DISTINCT claimId FROM \(direction.rawValue) WHERE claimId >= :prefix AND claimId < :prefix || '{'
    ORDER BY claimId LIMIT :limit
    """
  }
}
