public import BumpClaims
import GRDB

extension ClaimStore {
  /// Makes a claim and stores it as new.
  ///
  /// - Parameters:
  ///   - now: the time in seconds since 1970.
  ///   - random: the source of the id and the secret, 16 bytes each.
  ///   - funding: returns what is known about the claim's money at a vault, which is stored in the same write; `nil`
  ///     for a claim without a vault. If it throws, no claim is made.
  /// - Throws: `StoreError`, and what `funding` throws.
  public func create(
    amount: Amount, token: Token, expiry: Expiry, at now: Int64 = UnixTime.now(), random: RandomBytes = .system,
    funding: ((Claim) throws -> Funding)? = nil
  ) async throws -> OutgoingClaim {
    let claim = Claim(
      id: ClaimID(drawing: { random.draw(16) }), secret: try ClaimSecret(random.draw(16)), token: token,
      amount: amount)
    let funding = try funding?(claim)
    return try await write { database in
      if let funding { try Self.write(funding, of: claim, expiry: expiry, .outgoing, in: database) }
      return try Self.insert(claim, expiry: expiry, at: now, in: database)
    }
  }

  /// Inserts a claim that was issued elsewhere, such as by a vault, as a new claim of this store.
  ///
  /// The issuer must have given the claim's secret to nobody else: `new` means that the secret has not left this
  /// machine. A claim that was received before may be inserted too, and stays received.
  ///
  /// - Throws: `StoreError`. Then the claim was not inserted.
  public func insert(_ claim: Claim, expiry: Expiry, at now: ClockReading = .now()) async throws -> InsertResult {
    try await write { database in
      if let present = try Self.outgoing(claim.id, at: now, database) {
        return present.claim == claim && present.expiry == expiry ? .repeated(present) : .otherTerms(present)
      }
      return .inserted(try Self.insert(claim, expiry: expiry, at: now.unix, in: database))
    }
  }

  private static func insert(
    _ claim: Claim, expiry: Expiry, at now: Int64, in database: Database
  ) throws -> OutgoingClaim {
    try database.execute(
      sql: """
        INSERT INTO outgoing (claimId, secret, token, amount, expiry, state, createdAt)
        VALUES (?, ?, ?, ?, ?, 'new', ?)
        """,
      arguments: [
        claim.id.description, Blob(claim.secret.exposed), claim.token.description, claim.amount.baseUnits,
        expiry.unixSeconds, now,
      ])
    return OutgoingClaim(claim: claim, expiry: expiry, state: .new, peer: nil, createdAt: now)
  }

  /// Reserves the attempts at the digits that a claim has left for one bump. They count as used until that bump has
  /// ended and `record` has given back the unused ones, so also after a crash.
  ///
  /// - Returns: how many were left: none while another bump has them.
  /// - Throws: `StoreError`.
  package func reserveAttempts(of id: ClaimID) async throws -> Int {
    try await write { database in
      guard let used: Int = try Self.row(of: id, database)?.decode(forColumn: "draws") else { return 0 }
      try database.execute(
        sql: "UPDATE outgoing SET draws = ? WHERE claimId = ?", arguments: [ClaimLimits.attempts, id.description])
      return ClaimLimits.attempts - used
    }
  }

  /// Whether a claim has no attempts at the digits left: they are used, or reserved by a bump that is running or was
  /// killed.
  ///
  /// - Throws: `StoreError`.
  package func hasNoAttempts(of id: ClaimID) async throws -> Bool {
    try await read { database in
      let used: Int? = try Self.row(of: id, database)?.decode(forColumn: "draws")
      return used == ClaimLimits.attempts
    }
  }

  /// Releases a claim to one receiver, in one compare-and-set, so that only one process succeeds. A claim whose money is
  /// being taken back is not released.
  ///
  /// - Parameters:
  ///   - state: the claim's state when the bump began. If the state has changed, the claim is not released.
  ///   - limit: how long at most the receiver may still take the claim or answer. The deadline stored with the claim
  ///     adds a margin for the receiver's disk, and is rounded up.
  ///   - margin: how many seconds the claim must have left.
  ///   - clocks: read once the store is locked for writing, which may take a while.
  /// - Returns: `.released` with that deadline, if this call released the claim.
  /// - Throws: `StoreError`. Then the claim is not released.
  public func release(
    _ id: ClaimID, to peer: DisplayName, from state: HandoverState = .new, answerWithin limit: Duration,
    leaving margin: Int64 = 0, at clocks: @escaping @Sendable () -> ClockReading = ClockReading.now
  ) async throws -> ReleaseResult {
    try await write { database in
      let now = clocks()
      guard let claim = try Self.outgoing(id, at: now, database) else { return .missing }
      let isOfferable = try state.isOfferable && !Self.forbidsHandover(of: claim.claim, in: database)
      if isOfferable {
        let deadline = AnswerDeadline(limit, from: now)
        try database.execute(
          sql: """
            UPDATE outgoing SET state = 'released', deadline = ?, boot = ?, bootDeadline = ?, flight = ?, peer = ?,
            settledAt = NULL WHERE claimId = ? AND state = ? AND expiry - ? > ?
            """,
          arguments: deadline.arguments + [peer.text, id.description, state.rawValue, margin, now.unix])
        if database.changesCount == 1 { return .released(until: deadline.unix) }
      }
      return claim.state == state && isOfferable ? .expired : .changedElsewhere(claim.state)
    }
  }

  /// Undoes a release after which nothing was sent: restores the claim's state from before. Only the process that
  /// released the claim can know that nothing was sent.
  ///
  /// - Parameters:
  ///   - claim: the claim as it was before the release.
  ///   - deadline: the deadline that `release` returned.
  /// - Returns: whether the claim is in the state before the release. If not, it was no longer released in that way, and
  ///   nothing was changed.
  package func takeBack(_ claim: OutgoingClaim, releasedUntil deadline: Int64) async throws -> Bool {
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

  /// One release of a claim. The later of two releases has the later deadline, since the first one's must pass before
  /// the second.
  package struct Release: Hashable, Sendable {
    package let peer: DisplayName
    /// The deadline that `release` returned.
    package let deadline: Int64

    package init(peer: DisplayName, deadline: Int64) {
      (self.peer, self.deadline) = (peer, deadline)
    }
  }

  /// Records the result of a release, delivered or unknown, and how many of the attempts reserved for its bump were
  /// used.
  ///
  /// Unknown is recorded only for this very release, and keeps its deadline: the receiver may still take the claim.
  /// Delivered is the receiver's own answer. It overrides anything recorded since the deadline, including what the
  /// owner settled.
  ///
  /// - Parameters:
  ///   - state: the new state; `nil` to leave the state as it is.
  ///   - release: the release; `nil` if there was none, and then no state is recorded.
  ///   - unusedAttempts: how many of the attempts reserved for this bump were not used.
  /// - Returns: for a delivered claim, the state before, if it means that somebody else may have the claim, or that the
  ///   owner had settled that nobody has it; and the other receiver that the claim was sent to, if there is one.
  @discardableResult package func record(
    _ state: HandoverState?, of id: ClaimID, after release: Release?, at now: ClockReading, unusedAttempts: Int = 0
  ) async throws -> (state: HandoverState, otherPeer: DisplayName?)? {
    try await write { database in
      if unusedAttempts > 0 {
        try database.execute(
          sql: "UPDATE outgoing SET draws = max(0, draws - ?) WHERE claimId = ?",
          arguments: [unusedAttempts, id.description])
      }
      guard let release else { return nil }
      switch state {
      case .delivered:
        return try Self.recordDelivery(of: id, after: release, at: now, in: database)
      case .unknown:
        try database.execute(
          sql: "UPDATE outgoing SET state = 'unknown' WHERE claimId = ? AND state = 'released' AND deadline = ?",
          arguments: [id.description, release.deadline])
      default: break
      }
      return nil
    }
  }

  private static func recordDelivery(
    of id: ClaimID, after release: Release, at now: ClockReading, in database: Database
  ) throws -> (state: HandoverState, otherPeer: DisplayName?)? {
    guard let row = try row(of: id, database) else { return nil }
    let before = try OutgoingClaim(row, at: now)
    let deadline: Int64? = try row.decode(forColumn: "deadline")
    try database.execute(
      sql: """
        UPDATE outgoing SET state = 'delivered', peer = ?, deadline = NULL, settledAt = NULL
        WHERE claimId = ? AND (state <> 'delivered' OR settledAt IS NOT NULL)
        """, arguments: [release.peer.text, id.description])
    switch before.state {
    case .released where deadline == release.deadline: return nil
    case .unknown where deadline == release.deadline: return before.isInFlight ? nil : (.unknown, nil)
    case .delivered where before.settledAt != nil || before.peer == release.peer: return nil
    case .new, .linkShown, .lost: return (before.state, nil)
    case .released, .unknown, .delivered: return (before.state, before.peer)
    }
  }

  /// Records what the owner knows about a claim: that a receiver has it, or that none does.
  ///
  /// An unknown claim may be settled either way once no receiver can take it any more. A claim whose link was shown, or
  /// that was settled as lost, may be settled as delivered. A claim that the owner settled as delivered may be settled
  /// as lost, since people make mistakes. What a receiver has answered cannot be changed.
  ///
  /// - Parameters:
  ///   - state: `.delivered` or `.lost`.
  /// - Throws: `StoreError`.
  public func settle(_ id: ClaimID, as state: HandoverState, at now: ClockReading = .now()) async throws
    -> SettleResult
  {
    try await write { database in
      guard let claim = try Self.outgoing(id, at: now, database) else { return .missing }
      guard claim.canBeSettled(as: state) else { return .refused(claim) }
      try database.execute(
        sql: "UPDATE outgoing SET state = ?, deadline = NULL, settledAt = ? WHERE claimId = ?",
        arguments: [state.rawValue, now.unix, id.description])
      return .settled(claim)
    }
  }

  /// Returns a claim made in this store.
  ///
  /// - Parameter now: the time by which a released claim's deadline is judged.
  /// - Throws: `StoreError`.
  public func outgoing(_ id: ClaimID, at now: ClockReading = .now()) async throws -> OutgoingClaim? {
    try await read { try Self.outgoing(id, at: now, $0) }
  }

  /// Returns unknown claims made in this store that can still be taken, the latest expiry first. Those whose money is being
  /// taken back are left out.
  ///
  /// - Parameter limit: the greatest number of claims to return.
  /// - Throws: `StoreError`.
  public func undecided(at now: ClockReading = .now(), limit: Int) async throws -> [OutgoingClaim] {
    try await read { database in
      try Self.claims(Self.undecidedQuery, limit: limit, at: now, in: database) { $0.state == .unknown }
    }
  }

  /// Begins with the condition of the index `outgoingUndecided`, word for word, so that SQLite uses the index.
  static let undecidedQuery = """
    SELECT * FROM outgoing WHERE state IN ('released', 'unknown') AND expiry > ?
    ORDER BY expiry DESC, rowid DESC
    """

  /// Returns the first claims of a query by the time now that meet a condition and may be handed over.
  static func claims(
    _ query: String, limit: Int, at now: ClockReading, in database: Database,
    where isMeant: (OutgoingClaim) -> Bool
  ) throws -> [OutgoingClaim] {
    var found: [OutgoingClaim] = []
    let rows = try Row.fetchCursor(database, sql: query, arguments: [now.unix])
    while found.count < limit, let row = try rows.next() {
      let claim = try OutgoingClaim(row, at: now)
      if isMeant(claim), try !forbidsHandover(of: claim.claim, in: database) { found.append(claim) }
    }
    return found
  }

  private static func row(of id: ClaimID, _ database: Database) throws -> Row? {
    try Row.fetchOne(database, sql: "SELECT * FROM outgoing WHERE claimId = ?", arguments: [id.description])
  }

  static func outgoing(_ id: ClaimID, at now: ClockReading, _ database: Database) throws -> OutgoingClaim? {
    try row(of: id, database).map { try OutgoingClaim($0, at: now) }
  }
}

extension OutgoingClaim {
  /// Returns whether the owner may settle a claim in this state as `state`.
  public func canBeSettled(as state: HandoverState) -> Bool {
    switch (self.state, state) {
    case (.unknown, .delivered), (.unknown, .lost): !isInFlight
    case (.linkShown, .delivered), (.lost, .delivered): true
    case (.delivered, .lost): settledAt != nil
    default: false
    }
  }

  /// - Parameter now: the time now. A released claim whose deadline has passed is unknown.
  init(_ row: Row, at now: ClockReading) throws {
    guard var state = HandoverState(rawValue: try row.decode(forColumn: "state")) else {
      throw DamagedRow(description: "a state that is not known")
    }
    let peer: String? = try row.decode(forColumn: "peer")
    let deadline = try AnswerDeadline(row)?.end(at: now)
    if deadline == nil, state == .released { state = .unknown }
    self.init(
      claim: try Claim(row), expiry: try Expiry(row), state: state, peer: try peer.map { try DisplayName($0) },
      createdAt: try row.decode(forColumn: "createdAt"), deadline: deadline,
      settledAt: try row.decode(forColumn: "settledAt"))
  }
}
