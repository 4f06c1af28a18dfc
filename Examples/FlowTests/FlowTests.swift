import BumpKit
import BumpTesting
import Testing

/// Tests of a program's own flow, in milliseconds, without a network, a daemon or waiting.
///
/// Only the network, discovery and the clock are in memory; everything else is real.
@Suite(.timeLimit(.minutes(30))) struct FlowTests {
  /// Time passes only when a test advances it, so no time-out can interfere.
  let clock = ManualClock()
  let network = InMemoryNetwork()
  let discovery = InMemoryDiscovery()
  let (sent, received): (ClaimStore, ClaimStore)

  init() throws {
    (sent, received) = (try ClaimStore.inMemory(), try ClaimStore.inMemory())
  }

  func makeClaim(of amount: String) async throws -> OutgoingClaim {
    let expiry = try #require(Expiry(unixSeconds: 2_000_003_600))
    return try await sent.create(amount: Amount(amount), token: .usdc, expiry: expiry, at: 2_000_000_000)
  }

  func makeSender() throws -> Sender {
    Sender(
      store: sent, discovery: discovery, transport: network, configuration: .init(name: try DisplayName(own: "alice")),
      clock: clock, clocks: { ClockReading(unix: 2_000_000_000) })
  }

  func makeReceiver() throws -> Receiver {
    Receiver(
      store: received, discovery: discovery, transport: network,
      configuration: .init(name: try DisplayName(own: "bob")), clock: clock, unixTime: { 2_000_000_000 })
  }

  @Test func `a claim within the limit is taken, and both stores agree`() async throws {
    let claim = try await makeClaim(of: "20.00")
    let limit = try Amount("20")

    async let sending = makeSender().send(claim, to: .anyone)
    async let receiving = makeReceiver().receive(decide: { $0.offer.amount <= limit })

    #expect(try await sending == .delivered(to: DisplayName("bob"), .stored))
    guard case .received(let verified) = try await receiving else {
      Issue.record("nothing was received")
      return
    }
    #expect(verified.claim == claim.claim)
    #expect(try await sent.outgoing(claim.claim.id)?.state == .delivered)
    #expect(try await received.incoming(claim.claim.id).map(\.claim) == [claim.claim])
  }

  @Test func `a claim past the limit is declined, and the link is left`() async throws {
    let claim = try await makeClaim(of: "20.01")
    let limit = try Amount("20")

    async let sending = makeSender().send(claim, to: .anyone)
    #expect(try await makeReceiver().receive(decide: { $0.offer.amount <= limit }) == .declinedHere)

    // Another receiver may want the claim, so the sender waits until its time-out.
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(10))
    guard case .undelivered(.declined, _?, _) = try await sending else {
      Issue.record("there is no link")
      return
    }
    #expect(try await received.history(limit: 1).isEmpty)
  }

  @Test func `where nobody comes, the link brings the claim`() async throws {
    let claim = try await makeClaim(of: "20.00")

    async let sending = makeSender().send(claim, to: .anyone)
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(10))
    guard case .undelivered(.discoveryTimeout, let link?, _) = try await sending else {
      Issue.record("there is no link")
      return
    }
    #expect(try await sent.outgoing(claim.claim.id)?.state == .linkShown)

    let verified = try UnverifiedClaimLink(link.text).verify()
    #expect(try await received.store(verified, at: 2_000_000_010) == .stored)
    #expect(try await received.incoming(claim.claim.id).map(\.claim) == [claim.claim])
  }
}
