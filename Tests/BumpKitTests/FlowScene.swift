import BumpClaims
import BumpDiscovery
import BumpTesting
import Samples

@testable import BumpKit

/// Two ends with a store each, over the twins in memory, by a clock that the test holds.
struct FlowScene: Sendable {
  let network = InMemoryNetwork()
  let discovery = InMemoryDiscovery()
  let clock = ManualClock()
  let aliceStore: ClaimStore
  let bobStore: ClaimStore
  let alice: DisplayName
  let bob: DisplayName

  init() throws {
    aliceStore = try ClaimStore.inMemory()
    bobStore = try ClaimStore.inMemory()
    alice = try DisplayName("alice")
    bob = try DisplayName(Fixture.bob)
  }

  func newClaim() async throws -> OutgoingClaim {
    try await aliceStore.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
  }

  /// - Parameter store: another than alice's.
  func sender(
    _ credential: Credential = .none, rememberAs name: DisplayName? = nil, of store: ClaimStore? = nil,
    discovery other: (any Discovery)? = nil, expiryMargin: Duration = .zero
  ) -> Sender {
    var configuration = Sender.Configuration(name: alice)
    configuration.credential = credential
    configuration.rememberAs = name
    configuration.expiryMargin = expiryMargin
    return Sender(
      store: store ?? aliceStore, discovery: other ?? discovery, transport: network, configuration: configuration,
      clock: clock, clocks: { ClockReading(unix: 0) })
  }

  /// - Parameters:
  ///   - peer: a sender that needs no discovery; there is none then.
  func receiver(
    _ credential: Credential = .none, rememberAs name: DisplayName? = nil, remembered: [RememberedSender] = [],
    discovery other: (any Discovery)? = nil, transport: (any Transport)? = nil, peer: Endpoint? = nil
  ) -> Receiver {
    var configuration = Receiver.Configuration(name: bob)
    configuration.credential = credential
    configuration.remembered = remembered
    configuration.rememberAs = name
    configuration.peer = peer
    return Receiver(
      store: bobStore, discovery: peer == nil ? other ?? discovery : nil, transport: transport ?? network,
      configuration: configuration, clock: clock, unixTime: { 0 })
  }
}
