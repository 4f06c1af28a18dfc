import BumpFaults
import BumpKit
import BumpSimulation
import BumpTesting
import Testing

/// Plans on the seams that real senders and receivers have: their transport and their discovery.
@Suite(.timeLimit(.minutes(30))) struct LiveSeamTests {
  private let network = InMemoryNetwork()
  private let discovery = InMemoryDiscovery()
  private let clock = ManualClock()
  private let (sent, received): (ClaimStore, ClaimStore)

  init() throws { (sent, received) = (try ClaimStore.inMemory(), try ClaimStore.inMemory()) }

  /// One bump under a plan, at both ends.
  ///
  /// - Parameter isTaken: whether the receiver takes the claim, and ends with it.
  private func bump(
    _ text: String, isTaken: Bool
  ) async throws -> (sent: SendOutcome, received: ReceiveOutcome, stored: Int) {
    let plan = try FaultPlan(text)
    let expiry = try #require(Expiry(unixSeconds: 2_000_003_600))
    let claim = try await sent.create(
      amount: Amount("1.00"), token: Token("TEST"), expiry: expiry, at: 2_000_000_000)
    let sender = Sender(
      store: sent, discovery: FaultyDiscovery(discovery, plan, of: .advertiser, clock: clock),
      transport: FaultyTransport(network, plan, clock: clock), configuration: .init(name: try DisplayName("alice")),
      clock: clock, clocks: { ClockReading(unix: 2_000_000_000) })
    let receiver = Receiver(
      store: received, discovery: FaultyDiscovery(discovery, plan, of: .browser, clock: clock),
      transport: FaultyTransport(network, plan, clock: clock), configuration: .init(name: try DisplayName("bob")),
      clock: clock, unixTime: { 2_000_000_000 })
    async let receiving = receiver.receive()
    let outcome = try await sender.send(claim)
    // A receiver that has taken nothing goes on looking for ten seconds.
    if !isTaken { clock.advance(by: .seconds(10)) }
    return (outcome, try await receiving, try await received.incoming(claim.claim.id).count)
  }

  @Test func `a replayed claim is stored once, and is unknown to its sender`() async throws {
    let bump = try await bump("replay", isTaken: true)
    #expect(bump.stored == 1)
    guard case .unknown = bump.sent, case .received = bump.received else {
      Issue.record("\(bump)")
      return
    }
  }

  @Test func `a claim whose tag was changed is not taken, and is unknown to its sender`() async throws {
    let bump = try await bump("tampered-mac", isTaken: false)
    #expect(bump.stored == 0)
    guard case .unknown = bump.sent else {
      Issue.record("\(bump)")
      return
    }
  }

  @Test(arguments: [FaultSide.browser, .advertiser])
  func `a host without a discovery is told so at once`(side: FaultSide) async throws {
    let plans = (1...20 as ClosedRange<UInt64>).compactMap { try? FaultPlan("no-bonjour:\($0)") }
    let plan = try #require(plans.first { $0.hosts(of: side).contains(.noDiscovery) })
    let faulty = FaultyDiscovery(discovery, plan, of: side, clock: clock)
    await #expect(throws: DiscoveryError.self) { for try await _ in faulty.browse(.irlBump) {} }
  }
}
