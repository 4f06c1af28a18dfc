import BumpTesting
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

@Suite(.timeLimit(.minutes(1))) struct EarlyClockTests {
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
      configuration: .init(name: scene.alice), clock: late, unixTime: { 0 })
    let claim = try await scene.newClaim()
    let sending = Task { try await sender.send(claim) }
    await late.clock.hasSleeper(until: .seconds(10))
    late.clock.advance(by: .seconds(10))
    guard case .undelivered(.discoveryTimeout, _?, _) = try await sending.value else {
      Issue.record("it has no link")
      return
    }
  }
}
