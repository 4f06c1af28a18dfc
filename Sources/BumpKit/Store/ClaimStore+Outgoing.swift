public import BumpWire
import GRDB

extension ClaimStore {
  /// Makes a claim of ours and writes it down as new.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - draws: how many draws of digits to reserve in the same write for the bump that follows, `OutgoingClaim.draws`
  ///     at most. They count as used until that bump has ended and given back what was left, so also after a crash.
  ///   - random: draws the id and the secret, 16 bytes each.
  /// - Throws: `StoreError`.
  public func create(
    amount: Amount, token: Token, expiry: Expiry, at now: Int64 = UnixTime.now(),
    reserving draws: Int = OutgoingClaim.draws, random: RandomBytes = .system
  ) async throws -> OutgoingClaim {
    let claim = Claim(
      id: ClaimID(random: random.draw(16)), secret: try ClaimSecret(random.draw(16)), token: token, amount: amount)
    try await write { database in
      try database.execute(
        sql: """
          INSERT INTO outgoing (claimId, secret, token, amount, expiry, state, createdAt, draws)
          VALUES (?, ?, ?, ?, ?, 'new', ?, ?)
          """,
        arguments: [
          claim.id.description, Blob(claim.secret.exposed), token.description, amount.baseUnits, expiry.unixSeconds,
          now, draws,
        ])
    }
    return OutgoingClaim(
      claim: claim, expiry: expiry, state: .new, peer: nil, createdAt: now, reservedDraws: draws)
  }

  /// Makes a claim ready to be offered once more, and reserves the draws of digits that it has left.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: the claim with its reserved draws; `nil` where it is not here, or may not be offered as it stands.
  /// - Throws: `StoreError`.
  public func offerAgain(_ id: ClaimID, at now: Int64 = UnixTime.now()) async throws -> OutgoingClaim? {
    try await write { database in
      guard let row = try Self.row(of: id, database) else { return nil }
      let claim = try OutgoingClaim(row, at: now)
      guard claim.state.isOfferable else { return nil }
      let used: Int = try row.decode(forColumn: "draws")
      try database.execute(
        sql: "UPDATE outgoing SET draws = ? WHERE claimId = ?", arguments: [OutgoingClaim.draws, id.description])
      return try OutgoingClaim(row, at: now, reserving: OutgoingClaim.draws - used)
    }
  }

  /// Releases a claim to one receiver, in one compare-and-set: once, by one process.
  ///
  /// - Parameters:
  ///   - state: how the claim stood when the bump began; where it stands otherwise now, nothing is done.
  ///   - limit: how long the receiver's answer is waited for at most. With a margin for a slow disk, and rounded up,
  ///     it makes the deadline that is stored with the claim.
  ///   - time: tells the seconds since 1970. It is asked once the store is ours to write, which may take a while.
  /// - Returns: whether this call did it.
  /// - Throws: `StoreError`.
  public func release(
    _ id: ClaimID, to peer: DisplayName, from state: ClaimState = .new, answerWithin limit: Duration,
    at time: @escaping @Sendable () -> Int64 = UnixTime.now
  ) async throws -> Bool {
    guard state.isOfferable else { return false }
    return try await write { database in
      try database.execute(
        sql: """
          UPDATE outgoing SET state = 'released', peer = ?, deadline = ? WHERE claimId = ? AND state = ?
          """,
        arguments: [
          peer.text, AnswerDeadline.of(limit, from: time()), id.description, state.rawValue,
        ])
      return database.changesCount == 1
    }
  }

  /// Marks a claim's link as shown, before it is. An unknown claim stays unknown; while a receiver may still answer
  /// there is no link.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: how the claim stood before; `nil` where it is not here. The link may be shown where that is
  ///   `.new`, `.linkShown`, `.lost` or `.unknown`.
  /// - Throws: `StoreError`.
  public func showLink(of id: ClaimID, at now: Int64 = UnixTime.now()) async throws -> OutgoingClaim? {
    try await write { database in
      guard let claim = try Self.outgoing(id, at: now, database) else { return nil }
      if claim.state.isOfferable {
        try database.execute(
          sql: "UPDATE outgoing SET state = 'linkShown', peer = NULL WHERE claimId = ?", arguments: [id.description])
      }
      return claim
    }
  }

  /// Writes down what became of a released claim, delivered or unknown, and what was used of its reserved draws.
  /// A delivered one stays delivered.
  ///
  /// - Parameters:
  ///   - state: `nil` to leave it as it is.
  ///   - unusedDraws: how many of the draws that were reserved for this bump were not made.
  func record(_ state: ClaimState?, of id: ClaimID, unusedDraws: Int = 0) async throws {
    try await write { database in
      if unusedDraws > 0 {
        try database.execute(
          sql: "UPDATE outgoing SET draws = max(0, draws - ?) WHERE claimId = ?",
          arguments: [unusedDraws, id.description])
      }
      guard let state, state == .delivered || state == .unknown else { return }
      try database.execute(
        sql: """
          UPDATE outgoing SET state = ?, deadline = NULL WHERE claimId = ? AND state IN ('released', 'unknown')
          """, arguments: [state.rawValue, id.description])
    }
  }

  /// Writes down what its owner knows of a claim: that a receiver has it, or that none does.
  ///
  /// An unknown claim may be settled either way; one whose link was shown, or that was settled as lost, as delivered.
  ///
  /// - Parameters:
  ///   - state: `.delivered` or `.lost`.
  ///   - now: seconds since 1970.
  /// - Returns: the claim as it stood before; `nil` where it is not here. It was settled where that is so.
  /// - Throws: `StoreError`.
  public func settle(_ id: ClaimID, as state: ClaimState, at now: Int64 = UnixTime.now()) async throws
    -> OutgoingClaim?
  {
    try await write { database in
      guard let claim = try Self.outgoing(id, at: now, database) else { return nil }
      if claim.canBeSettled(as: state) {
        try database.execute(
          sql: "UPDATE outgoing SET state = ?, deadline = NULL WHERE claimId = ?",
          arguments: [state.rawValue, id.description])
      }
      return claim
    }
  }

  /// A claim of ours.
  ///
  /// - Parameter now: seconds since 1970, by which a released claim's deadline is judged.
  /// - Throws: `StoreError`.
  public func outgoing(_ id: ClaimID, at now: Int64 = UnixTime.now()) async throws -> OutgoingClaim? {
    try await read { try Self.outgoing(id, at: now, $0) }
  }

  /// Claims of ours that are unknown and can still be taken: that with the longest time left first.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - limit: how many at the most.
  /// - Throws: `StoreError`.
  public func undecided(at now: Int64, limit: Int) async throws -> [OutgoingClaim] {
    try await read { database in
      try Row.fetchAll(
        database, sql: Self.undecidedQuery,
        arguments: ["now": now, "horizon": now + AnswerDeadline.horizon, "limit": limit]
      ).map { try OutgoingClaim($0, at: now) }
    }
  }

  /// The condition of the index `outgoingUndecided` comes first, word for word.
  static let undecidedQuery = """
    SELECT * FROM outgoing WHERE state IN ('released', 'unknown') AND expiry > :now
    AND (deadline IS NULL OR deadline <= :now OR deadline > :horizon)
    ORDER BY expiry DESC, rowid DESC LIMIT :limit
    """

  private static func row(of id: ClaimID, _ database: Database) throws -> Row? {
    try Row.fetchOne(database, sql: "SELECT * FROM outgoing WHERE claimId = ?", arguments: [id.description])
  }

  private static func outgoing(_ id: ClaimID, at now: Int64, _ database: Database) throws -> OutgoingClaim? {
    try row(of: id, database).map { try OutgoingClaim($0, at: now) }
  }
}

extension OutgoingClaim {
  /// Whether its owner may settle it so, as it stands.
  public func canBeSettled(as state: ClaimState) -> Bool {
    switch (self.state, state) {
    case (.unknown, .delivered), (.unknown, .lost), (.linkShown, .delivered), (.lost, .delivered): true
    default: false
    }
  }

  /// - Parameters:
  ///   - now: seconds since 1970. A claim whose answer is not waited for any more is unknown.
  ///   - draws: how many draws are reserved for who asks.
  init(_ row: Row, at now: Int64, reserving draws: Int = 0) throws {
    guard var state = ClaimState(rawValue: try row.decode(forColumn: "state")) else {
      throw DamagedRow(description: "a state that is not known")
    }
    let peer: String? = try row.decode(forColumn: "peer")
    // A store that only an older bump has written, on a read-only mount, has no deadlines.
    var deadline: Int64? = row.hasColumn("deadline") ? try row.decode(forColumn: "deadline") : nil
    if state == .released, !AnswerDeadline.isAhead(deadline, at: now) {
      state = peer == nil ? .linkShown : .unknown
      deadline = nil
    }
    self.init(
      claim: try Claim(row), expiry: try Expiry(row), state: state, peer: try peer.map { try DisplayName($0) },
      createdAt: try row.decode(forColumn: "createdAt"), deadline: deadline, reservedDraws: draws)
  }
}
