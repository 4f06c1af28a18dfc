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
          INSERT INTO outgoing (claimId, secret, token, amount, expiry, state, createdAt, draws, reservation)
          VALUES (?, ?, ?, ?, ?, 'new', ?, ?, 1)
          """,
        arguments: [
          claim.id.description, Blob(claim.secret.exposed), token.description, amount.baseUnits, expiry.unixSeconds,
          now, draws,
        ])
    }
    return OutgoingClaim(
      claim: claim, expiry: expiry, state: .new, peer: nil, createdAt: now, reservedDraws: draws,
      reservation: draws > 0 ? 1 : 0)
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
      let reservation = 1 + (try row.decode(Int64.self, forColumn: "reservation"))
      try database.execute(
        sql: "UPDATE outgoing SET draws = ?, reservation = ? WHERE claimId = ?",
        arguments: [OutgoingClaim.draws, reservation, id.description])
      return try OutgoingClaim(row, at: now, reserving: OutgoingClaim.draws - used, reservation)
    }
  }

  /// Gives the draws that were reserved for a claim to the bump that begins: once, whoever holds a copy of the value.
  ///
  /// - Returns: whether they are this bump's.
  func takeReservation(of claim: OutgoingClaim) async throws -> Bool {
    try await write { database in
      try database.execute(
        sql: "UPDATE outgoing SET reservation = reservation + 1 WHERE claimId = ? AND reservation = ?",
        arguments: [claim.claim.id.description, claim.reservation])
      return database.changesCount == 1
    }
  }

  /// Releases a claim to one receiver, in one compare-and-set: once, by one process.
  ///
  /// - Parameters:
  ///   - state: how the claim stood when the bump began; where it stands otherwise now, nothing is done.
  ///   - limit: how long the receiver may still take the claim, and its answer is waited for, at most. With a margin for
  ///     the receiver's disk, and rounded up, it makes the deadline that is stored with the claim.
  ///   - time: tells the seconds since 1970. It is asked once the store is ours to write, which may take a while.
  /// - Returns: that deadline, in seconds since 1970, where this call did it; else `nil`.
  /// - Throws: `StoreError`.
  public func release(
    _ id: ClaimID, to peer: DisplayName, from state: ClaimState = .new, answerWithin limit: Duration,
    at time: @escaping @Sendable () -> Int64 = UnixTime.now
  ) async throws -> Int64? {
    guard state.isOfferable else { return nil }
    return try await write { database in
      let deadline = AnswerDeadline.of(limit, from: time())
      try database.execute(
        sql: """
          UPDATE outgoing SET state = 'released', peer = ?, deadline = ?, settledAt = NULL WHERE claimId = ? AND state = ?
          """,
        arguments: [peer.text, deadline, id.description, state.rawValue])
      return database.changesCount == 1 ? deadline : nil
    }
  }

  /// Takes back a release after which nothing was sent: the claim stands as it did before. Only the process that released
  /// it can know that.
  ///
  /// - Parameters:
  ///   - claim: as it stood before.
  ///   - deadline: what `release` returned.
  /// - Returns: whether it stands so again; where it was not released so any more, nothing is done.
  func takeBack(_ claim: OutgoingClaim, releasedUntil deadline: Int64) async throws -> Bool {
    try await write { database in
      try database.execute(
        sql: """
          UPDATE outgoing SET state = ?, peer = ?, deadline = NULL, settledAt = ?
          WHERE claimId = ? AND state = 'released' AND deadline = ?
          """,
        arguments: [
          claim.state.rawValue, claim.peer?.text, claim.settledAt, claim.claim.id.description, deadline,
        ])
      return database.changesCount == 1
    }
  }

  /// Marks a claim's link as shown, before it is. An unknown claim stays unknown; while a receiver may still take the claim
  /// there is no link.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: how the claim stood before; `nil` where it is not here. The link may be shown where that is
  ///   `.new`, `.linkShown`, `.lost`, or `.unknown` and not in flight.
  /// - Throws: `StoreError`.
  public func showLink(of id: ClaimID, at now: Int64 = UnixTime.now()) async throws -> OutgoingClaim? {
    try await write { database in
      guard let claim = try Self.outgoing(id, at: now, database) else { return nil }
      if claim.state.isOfferable {
        try database.execute(
          sql: "UPDATE outgoing SET state = 'linkShown', peer = NULL, settledAt = NULL WHERE claimId = ?",
          arguments: [id.description])
      }
      return claim
    }
  }

  /// Writes down what became of a released claim, delivered or unknown, and what was used of its reserved draws.
  /// A delivered one stays delivered, and an unknown one keeps its deadline: the receiver may still take it.
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
          UPDATE outgoing SET state = :state, deadline = iif(:state = 'unknown', deadline, NULL)
          WHERE claimId = :id AND state IN ('released', 'unknown')
          """, arguments: ["state": state.rawValue, "id": id.description])
    }
  }

  /// Writes down what its owner knows of a claim: that a receiver has it, or that none does.
  ///
  /// An unknown claim may be settled either way once no receiver can take it any more; one whose link was shown, or that was
  /// settled as lost, as delivered. What its owner settled as delivered may be settled as lost: people err. What a receiver
  /// has answered may not.
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
          sql: "UPDATE outgoing SET state = ?, deadline = NULL, settledAt = ? WHERE claimId = ?",
          arguments: [state.rawValue, now, id.description])
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
    AND (state = 'unknown' OR deadline <= :now OR deadline > :horizon)
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
    case (.unknown, .delivered), (.unknown, .lost): !isInFlight
    case (.linkShown, .delivered), (.lost, .delivered): true
    case (.delivered, .lost): settledAt != nil
    default: false
    }
  }

  /// - Parameters:
  ///   - now: seconds since 1970. A released claim whose deadline has passed is unknown.
  ///   - draws: how many draws are reserved for who asks.
  ///   - reservation: which reservation of draws that is.
  init(_ row: Row, at now: Int64, reserving draws: Int = 0, _ reservation: Int64 = 0) throws {
    guard var state = ClaimState(rawValue: try row.decode(forColumn: "state")) else {
      throw DamagedRow(description: "a state that is not known")
    }
    let peer: String? = try row.decode(forColumn: "peer")
    // A store that only an older bump has written, on a read-only mount, has no deadlines.
    var deadline: Int64? = row.hasColumn("deadline") ? try row.decode(forColumn: "deadline") : nil
    if !AnswerDeadline.isAhead(deadline, at: now) {
      if state == .released { state = peer == nil ? .linkShown : .unknown }
      deadline = nil
    }
    self.init(
      claim: try Claim(row), expiry: try Expiry(row), state: state, peer: try peer.map { try DisplayName($0) },
      createdAt: try row.decode(forColumn: "createdAt"), deadline: deadline,
      settledAt: row.hasColumn("settledAt") ? try row.decode(forColumn: "settledAt") : nil, reservedDraws: draws,
      reservation: reservation)
  }
}
