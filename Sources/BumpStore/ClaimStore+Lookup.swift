public import BumpClaims
import GRDB

extension ClaimStore {
  /// Where a claim is kept: those of ours, or those that were received.
  public enum Direction: String, Sendable { case outgoing, incoming }

  /// The ids that begin with this, in order.
  ///
  /// - Parameter limit: how many at the most.
  /// - Throws: `StoreError`.
  public func ids(beginningWith prefix: ClaimID, of direction: Direction, limit: Int) async throws -> [ClaimID] {
    try await read { database in
      try String.fetchAll(
        database, sql: Self.prefixQuery(direction), arguments: ["prefix": prefix.description, "limit": limit]
      ).map { try ClaimID($0) }
    }
  }

  /// The claim of ours that was made last: the last row, since a clock can be set back.
  ///
  /// - Parameter now: by which a released claim's deadline is judged.
  /// - Throws: `StoreError`.
  public func newestOutgoing(at now: ClockReading = .now()) async throws -> OutgoingClaim? {
    try await read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM outgoing ORDER BY rowid DESC LIMIT 1")
        .map { try OutgoingClaim($0, at: now) }
    }
  }

  /// No character of an id comes after `z`, and `{` does.
  static func prefixQuery(_ direction: Direction) -> String {
    """
    SELECT DISTINCT claimId FROM \(direction.rawValue) WHERE claimId >= :prefix AND claimId < :prefix || '{'
    ORDER BY claimId LIMIT :limit
    """
  }
}
