import BumpDiscovery
import BumpTesting
import NIOCore
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// A clock that wakes whoever sleeps at once, the first time.
private final class EarlyClock: Clock, Sendable {
  let clock = ManualClock()
  private let isEarly = Mutex(true)

  var now: ManualClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    let wakes = isEarly.withLock { isEarly in
      defer { isEarly = false }
      return isEarly
    }
    if !wakes { try await clock.sleep(until: deadline, tolerance: tolerance) }
  }
}

/// One sender is announced, and does not answer.
private struct SilentDiscovery: Discovery {
  var backend: String { "silent" }

  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { .init { $0.finish() } }

  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    .init { $0.yield(.found(ServiceInstance(name: "nobody", type: type.description, interface: 1))) }
  }

  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw CancellationError()
  }

  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> { .init { $0.finish() } }
}

@Suite(.timeLimit(.minutes(30))) struct EarlyClockTests {
  @Test func `a clock that wakes too early does not stop the time of a receive or of a send`() async throws {
    let scene = try FlowScene()
    let clock = EarlyClock()
    let receiver = Receiver(
      store: scene.bobStore, discovery: scene.discovery, transport: scene.network,
      configuration: .init(name: scene.bob), clock: clock, unixTime: { 0 })
    let receiving = Task { try await receiver.receive() }
    await clock.clock.hasSleeper(until: .seconds(10))
    clock.clock.advance(by: .seconds(10))
    #expect(try await receiving.value == .nobody(.timeout, []))

    let late = EarlyClock()
    let sender = Sender(
      store: scene.aliceStore, discovery: scene.discovery, transport: scene.network,
      configuration: .init(name: scene.alice), clock: late, clocks: { ClockReading(unix: 0) })
    let claim = try await scene.newClaim()
    let sending = Task { try await sender.send(claim) }
    await late.clock.hasSleeper(until: .seconds(10))
    late.clock.advance(by: .seconds(10))
    guard case .undelivered(.discoveryTimeout, _?, _) = try await sending.value else {
      Issue.record("it has no link")
      return
    }
  }

  @Test func `a clock that wakes too early does not stop the turns of those who are near`() async throws {
    let clock = EarlyClock()
    let watching = Task { for try await _ in Neighbours(discovery: SilentDiscovery(), clock: clock).watch() {} }
    // The end of the first turn, after which the next one would have its own.
    await clock.clock.hasSleeper(until: .milliseconds(250))
    watching.cancel()
  }
}
