public import BumpDiscovery
import BumpWire
public import Logging
import NIOCore

/// Reports the senders nearby.
///
///     for try await event in Neighbours(discovery: DNSSDDiscovery()).watch() { … }
public struct Neighbours: Sendable {
  private let discovery: any Discovery
  private let clock: any Clock<Duration>
  private let logger: Logger

  /// Makes a watcher. It does nothing before `watch`.
  ///
  /// - Parameters:
  ///   - discovery: the service that finds senders.
  ///   - clock: the clock for ages and time limits.
  ///   - logger: receives the announcements that do not resolve.
  public init(
    discovery: any Discovery, clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    self.discovery = discovery
    self.clock = clock
    self.logger = logger
  }

  /// Returns the events of the senders nearby. Browses until the task that iterates the stream ends or is cancelled.
  /// Connects to nobody.
  ///
  /// A reader that falls behind by more than 4096 events loses the oldest ones. If a host disappears without a goodbye,
  /// discovery may list its senders for up to 75 minutes (RFC 6762 §10).
  ///
  /// - Throws: `DiscoveryError.unavailable` if discovery is not available, or stops working.
  public func watch(_ type: ServiceType = .irlBump) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    watch(type, wantsAddresses: true)
  }

  /// Returns events with what the TXT records of the senders nearby say, without resolving addresses.
  func lookAtRecords(_ type: ServiceType) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    watch(type, wantsAddresses: false)
  }

  private func watch(_ type: ServiceType, wantsAddresses: Bool) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(4096)) { continuation in
      let near = Neighbourhood(wantsAddresses: wantsAddresses)
      let run = NeighboursRun(discovery, Timeline(clock), logger, near) { continuation.yield($0) }
      let task = Task {
        do {
          try await run.run(type)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// Drives one `Neighbourhood`: passes in the events of discovery and the time, and carries out its outputs.
private actor NeighboursRun {
  private enum TaskName: Hashable { case resolving(ServiceInstance) }

  private let discovery: any Discovery
  private let timeline: Timeline
  private let logger: Logger
  private let tell: @Sendable (NeighbourEvent) -> Void
  private var near: Neighbourhood
  private var tasks = NamedTasks<TaskName>()
  private var timer = DeadlineTimer()

  init(
    _ discovery: any Discovery, _ timeline: Timeline, _ logger: Logger, _ near: Neighbourhood,
    tell: @escaping @Sendable (NeighbourEvent) -> Void
  ) {
    self.discovery = discovery
    self.timeline = timeline
    self.logger = logger
    self.near = near
    self.tell = tell
  }

  func run(_ type: ServiceType) async throws {
    let result: Result<Void, any Error>
    do {
      for try await event in discovery.browse(type) {
        switch event {
        case .found(let instance): perform(near.found(instance, at: now))
        case .lost(let instance): perform(near.lost(instance, at: now))
        }
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await timer.cancel()?.value
    for task in tasks.cancelAll() { await task.value }
    try result.get()
  }

  private func perform(_ outputs: [Neighbourhood.Output]) {
    for output in outputs {
      switch output {
      case .resolve(let instance): tasks.start(.resolving(instance)) { await self.resolve(instance) }
      case .stopResolving(let instance): tasks.cancel(.resolving(instance))
      case .tell(let event): tell(event)
      }
    }
    timer.set(to: near.deadline?.sinceStart, on: timeline) { await self.deadlinePassed() }
  }

  private var now: Moment { Moment(timeline.now()) }

  private func deadlinePassed() {
    timer.hasFired()
    perform(near.deadlinePassed(at: now))
  }

  private func resolve(_ instance: ServiceInstance) async {
    do {
      let service = try await discovery.resolve(instance)
      guard !Task.isCancelled else { return }
      perform(near.described(instance, Announcement(service.txt), at: now))
      guard !Task.isCancelled else { return }
      for try await address in discovery.addresses(of: service) {
        guard !Task.isCancelled else { return }
        perform(near.resolved(instance, address, at: now))
      }
    } catch {
      // The turn of this instance ends at its deadline, and another turn follows.
      logger.debug("\(InstanceName.shown(instance.name).distinct) does not resolve: \(error)")
    }
  }
}
