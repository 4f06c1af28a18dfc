import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Streams of events.
struct EventTests {
  /// What a stream has written so far, piece by piece.
  private final class Written: Sendable {
    private let stream = AsyncStream.makeStream(of: String.self)
    func add(_ bytes: [UInt8]) { stream.continuation.yield(String(decoding: bytes, as: UTF8.self)) }
    func end() { stream.continuation.finish() }
    func pieces() -> AsyncStream<String>.AsyncIterator { stream.stream.makeAsyncIterator() }
  }

  /// Opens a stream, and gives a test its pieces as they come; `nil` is its end.
  private func withStream(
    _ served: Served, of claim: some CustomStringConvertible, from peer: String = Served.home,
    _ body: (inout AsyncStream<String>.AsyncIterator) async throws -> Void
  ) async throws {
    let response = try await served.ask("GET", "/api/claims/\(claim)/events", from: peer)
    guard case .events(let events) = response.body else {
      Issue.record("no stream: \(response.text)")
      return
    }
    #expect(response.status == 200 && response.header("Content-Type") == "text/event-stream")
    let written = Written()
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await events.run { written.add($0) }
        written.end()
      }
      var pieces = written.pieces()
      do { try await body(&pieces) } catch {
        served.service.watchers.end()
        throw error
      }
      served.service.watchers.end()
      try await group.waitForAll()
    }
    #expect(served.service.watchers.count == 0)
  }

  private func next(
    _ pieces: inout AsyncStream<String>.AsyncIterator, is event: String, at location: SourceLocation = #_sourceLocation
  ) async {
    let piece = await pieces.next()
    #expect(piece?.hasPrefix("event: \(event)\ndata: {") == true, "\(piece ?? "end")", sourceLocation: location)
  }

  @Test func `the state comes first, then each change, and the last one ends it`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    _ = try await served.ask("POST", "/api/claims", served.draft(claim))
    try await withStream(served, of: claim.id) { pieces in
      await next(&pieces, is: "none")
      _ = try await served.ask("POST", "/api/claims/\(claim.id)/deposit", served.deposit(claim, from: Person(1)))
      await next(&pieces, is: "pending")
      _ = try await served.ask("POST", "/api/claims/\(claim.id)/claim", served.payout(claim, to: Person(2)))
      await next(&pieces, is: "claimed")
      #expect(await pieces.next() == nil)
    }
  }

  @Test func `a stream of a ledger id tells what becomes of the claim under its id`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    expectProblem(try await served.ask("GET", "/api/claims/\(claim.terms.ledgerID)/events"), .unknownClaim)
    try await served.scene.lock(claim, from: Person(1))
    try await withStream(served, of: claim.terms.ledgerID) { pieces in
      await next(&pieces, is: "pending")
      _ = try await served.ask("POST", "/api/claims/\(claim.id)/claim", served.payout(claim, to: Person(2)))
      await next(&pieces, is: "claimed")
    }
  }

  @Test func `only a change wakes those who watch: a repeat, a refusal and a read wake nobody`() async throws {
    let served = try await Served()
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    let path = "/api/claims/\(claim.id)"
    let (deposit, payout) = (try served.deposit(claim, from: Person(1)), try served.payout(claim, to: Person(2)))
    /// Returns whether requests wake somebody who watches the claim.
    func wakes(_ requests: [(method: String, path: String, body: String?)]) async throws -> Bool {
      let watchers = served.service.watchers
      let network = try #require(ClientAddress("192.0.2.7"))
      let subscription = try #require(watchers.subscribe(claim.id, from: network))
      var wakes = subscription.wakes.makeAsyncIterator()
      // The first one comes at once.
      #expect(await wakes.next() != nil)
      for request in requests { try await served.ask(request.method, request.path, request.body) }
      watchers.end(subscription.id)
      return await wakes.next() != nil
    }
    #expect(try await !wakes([("POST", "/api/claims", served.draft(claim)), ("POST", path + "/claim", payout)]))
    #expect(try await wakes([("POST", path + "/deposit", deposit)]))
    let reads = [("POST", path + "/refund", nil), ("GET", path, nil)] as [(String, String, String?)]
    #expect(
      try await !wakes(reads + [("POST", path + "/deposit", deposit), ("POST", "/api/claims", served.draft(claim))]))
    #expect(try await wakes([("POST", path + "/claim", payout)]))
    #expect(try await !wakes(reads + [("POST", path + "/claim", payout), ("POST", path + "/deposit", deposit)]))
  }

  @Test func `the data is what GET answers`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let id = try served.scene.claim(2).id
    try await withStream(served, of: id) { pieces in
      let view = try await served.ask("GET", "/api/claims/\(id)").text
      #expect(await pieces.next() == "event: claimed\ndata: \(view)\n\n")
      #expect(await pieces.next() == nil)
    }
  }

  @Test func `expiry is an event, to the second, and the refund the last`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let claim = try served.scene.claim(1)
    try await withStream(served, of: claim.id) { pieces in
      await next(&pieces, is: "pending")
      let expiry = claim.terms.expiry.unixSeconds
      for now in stride(from: served.scene.clock.now + 15, to: expiry, by: 15) {
        served.scene.clock.set(now)
        served.service.watchers.tick(now)
        #expect(await pieces.next() == ":\n\n")
      }
      // Nobody is woken before the time has come.
      served.scene.clock.set(expiry - 1)
      served.service.watchers.tick(expiry - 1)
      served.scene.clock.set(expiry)
      served.service.watchers.tick(expiry)
      await next(&pieces, is: "expired")
      _ = try await served.ask("POST", "/api/claims/\(claim.id)/refund")
      await next(&pieces, is: "refunded")
      #expect(await pieces.next() == nil)
    }
  }

  @Test func `a store whose clock is behind says expired a little later, and is asked each second`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let claim = try served.scene.claim(1)
    let events = try await served.ask("GET", "/api/claims/\(claim.id)/events")
    guard case .events(let stream) = events.body else { throw NoStream() }
    stream.end()
    let store = served.scene.clock
    let server = SetClock(claim.terms.expiry.unixSeconds - 1)
    let watchers = ClaimWatchers(limit: 1, perNetwork: 1)
    let address = try #require(ClientAddress(Served.home))
    let slow = ClaimEvents(
      claim: claim.id, name: .claimID(claim.id), vault: EmbeddedVault(served.scene.vault, on: served.scene.store),
      subscription: try #require(watchers.subscribe(claim.id, from: address)),
      watchers: watchers, heartbeat: 15, clock: { server.now }, report: { _ in })
    let written = Written()
    try await withThrowingTaskGroup { group in
      group.addTask { try await slow.run { written.add($0) } }
      var pieces = written.pieces()
      await next(&pieces, is: "pending")
      for _ in 1...3 {
        server.advance(by: 1)
        watchers.tick(server.now)
        #expect(await pieces.next() == ":\n\n")
      }
      store.set(claim.terms.expiry.unixSeconds)
      server.advance(by: 1)
      watchers.tick(server.now)
      await next(&pieces, is: "expired")
      watchers.end()
      try await group.waitForAll()
    }
  }

  @Test func `what another process does without a word comes with the next sign of life`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let claim = try served.scene.claim(1)
    try await withStream(served, of: claim.id) { pieces in
      await next(&pieces, is: "pending")
      try await served.scene.take(claim, for: Person(2))
      served.scene.clock.advance(by: 15)
      served.service.watchers.tick(served.scene.clock.now)
      await next(&pieces, is: "claimed")
    }
  }

  @Test func `a word of another process wakes those who wait for that claim alone`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let (claim, other) = (try served.scene.claim(1), try served.scene.claim(2))
    try await withStream(served, of: claim.id) { pieces in
      await next(&pieces, is: "pending")
      served.service.watchers.moved([other.id])
      try await served.scene.take(claim, for: Person(2))
      served.service.watchers.moved([other.id, claim.id])
      await next(&pieces, is: "claimed")
    }
  }

  @Test func `a draft that lapses ends its stream`() async throws {
    let served = try await Served()
    let claim = try served.scene.claim(1, lasting: 7200)
    _ = try await served.ask("POST", "/api/claims", served.draft(claim))
    try await withStream(served, of: claim.id) { pieces in
      await next(&pieces, is: "none")
      served.scene.clock.advance(by: 600)
      served.service.watchers.tick(served.scene.clock.now)
      #expect(await pieces.next() == nil)
    }
  }

  @Test func `a claim is read again at its expiry, and then each second of a minute until the store says so`() {
    func wake(_ event: ClaimEvent, at now: Int64) -> Int64 {
      ClaimEvents.wake(after: event, expiry: 1_000, at: now, heartbeat: 15)
    }
    #expect(wake(.pending, at: 900) == 915 && wake(.pending, at: 990) == 1_000 && wake(.pending, at: 1_000) == 1_001)
    // A store that does not believe its clock may not say so for a day.
    #expect(wake(.pending, at: 1_059) == 1_060 && wake(.pending, at: 1_060) == 1_075)
    // A draft has no such event: it is read with each sign of life, also after its expiry.
    #expect(wake(.none, at: 990) == 1_005 && wake(.none, at: 2_000) == 2_015 && wake(.expired, at: 2_000) == 2_015)
  }

  @Test func `a server that ends ends its streams, and begins no more`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let id = try served.scene.claim(1).id
    try await withStream(served, of: id) { pieces in
      await next(&pieces, is: "pending")
      served.service.watchers.end()
      #expect(await pieces.next() == nil)
      expectProblem(try await served.ask("GET", "/api/claims/\(id)/events"), .tooManyRequests)
    }
  }

  @Test func `a claim that is not known has no stream, and keeps no place`() async throws {
    let served = try await Served()
    expectProblem(try await served.ask("GET", "/api/claims/nothing/events"), .unknownClaim)
    #expect(served.service.watchers.count == 0)
  }

  @Test func `HEAD of a stream keeps no place`() async throws {
    let served = try await Served()
    try await served.scene.payOneOfTwo()
    let response = try await served.ask("HEAD", "/api/claims/\(served.scene.claim(1).id)/events")
    #expect(response.status == 200 && response.header("Content-Type") == "text/event-stream")
    #expect(served.service.watchers.count == 0)
  }

  @Test func `a network has so many streams at once, and all together so many`() async throws {
    let served = try await Served {
      ($0.streamsPerNetwork, $0.streams) = (2, 4)
    }
    try await served.scene.payOneOfTwo()
    let path = "/api/claims/\(try served.scene.claim(1).id)/events"
    var open: [ClaimEvents] = []
    for peer in ["192.0.2.1", "192.0.2.1", "192.0.2.2"] {
      guard case .events(let events) = try await served.ask("GET", path, from: peer).body else { throw NoStream() }
      open.append(events)
    }
    expectProblem(try await served.ask("GET", path, from: "192.0.2.1"), .tooManyRequests)
    #expect(try await served.ask("GET", path, from: "192.0.2.3").status == 200)
    expectProblem(try await served.ask("GET", path, from: "192.0.2.4"), .tooManyRequests)
    open[0].end()
    open[0].end()
    #expect(try await served.ask("GET", path, from: "192.0.2.1").status == 200)
    expectProblem(try await served.ask("GET", path, from: "192.0.2.2"), .tooManyRequests)
  }

  private struct NoStream: Error {}
}
