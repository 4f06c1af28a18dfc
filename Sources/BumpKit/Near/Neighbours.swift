public import BumpDiscovery
import BumpWire
public import Logging
import NIOCore

/// Watches which senders are near.
///
///     for try await event in Neighbours(discovery: DNSSDDiscovery()).watch() { … }
public struct Neighbours: Sendable {
  private let discovery: any Discovery
  private let clock: any Clock<Duration>
  private let logger: Logger

  /// - Parameters:
  ///   - clock: what ages and turns are measured by.
  ///   - logger: told which announcements do not answer.
  public init(
    discovery: any Discovery, clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    self.discovery = discovery
    self.clock = clock
    self.logger = logger
  }

  /// Tells who comes and goes, until the task that iterates it ends or is cancelled. Nobody is connected to.
  ///
  /// A reader who lags by 4096 events misses the oldest ones. Of a host that went away without a word, discovery still
  /// lists the senders, for up to 75 minutes (RFC 6762 §10).
  ///
  /// - Throws: `DiscoveryError.unavailable` where nobody can be found (any more).
  public func watch(_ type: ServiceType = .irlBump) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    watch(type, wantsAddresses: true, isQuiet: false)
  }

  /// Yields what the TXT records of the senders nearby say, without asking for addresses and without hurry. Among many
  /// senders that watch each other, questions and their answers would be most of what each host receives.
  func watchRecords(_ type: ServiceType) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    watch(type, wantsAddresses: false, isQuiet: true)
  }

  /// Does the same in a hurry: for a moment, not for long.
  func lookAtRecords(_ type: ServiceType) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    watch(type, wantsAddresses: false, isQuiet: false)
  }

  private func watch(
    _ type: ServiceType, wantsAddresses: Bool, isQuiet: Bool
  ) -> AsyncThrowingStream<NeighbourEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(4096)) { continuation in
      let near = Neighbourhood(wantsAddresses: wantsAddresses)
      let run = NeighboursRun(discovery, Timeline(clock), logger, near, isQuiet: isQuiet) { continuation.yield($0) }
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

/// Drives one `Neighbourhood`: what discovery says and time go in; what it says is done.
private actor NeighboursRun {
  private enum TaskName: Hashable { case resolving(ServiceInstance) }

  private let discovery: any Discovery
  private let timeline: Timeline
  private let logger: Logger
  private let isQuiet: Bool
  private let tell: @Sendable (NeighbourEvent) -> Void
  private var near: Neighbourhood
  private var tasks = NamedTasks<TaskName>()
  private var timer = DeadlineTimer()

  init(
    _ discovery: any Discovery, _ timeline: Timeline, _ logger: Logger, _ near: Neighbourhood, isQuiet: Bool,
    tell: @escaping @Sendable (NeighbourEvent) -> Void
  ) {
    self.discovery = discovery
    self.timeline = timeline
    self.logger = logger
    self.near = near
    self.isQuiet = isQuiet
    self.tell = tell
  }

  func run(_ type: ServiceType) async throws {
    let result: Result<Void, any Error>
    do {
      for try await event in isQuiet ? discovery.browseQuietly(type) : discovery.browse(type) {
        switch event {
        case .found(let instance): perform(near.found(instance, at: timeline.now()))
        case .lost(let instance): perform(near.lost(instance, at: timeline.now()))
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
    timer.set(to: near.deadline, on: timeline) { await self.deadlinePassed() }
  }

  private func deadlinePassed() {
    timer.hasFired()
    perform(near.deadlinePassed(at: timeline.now()))
  }

  private func resolve(_ instance: ServiceInstance) async {
    do {
      let service = try await discovery.resolve(instance)
      guard !Task.isCancelled else { return }
      perform(near.described(instance, Announcement(service.txt), at: timeline.now()))
      guard !Task.isCancelled else { return }
      for try await address in discovery.addresses(of: service) {
        guard !Task.isCancelled else { return }
        perform(near.resolved(instance, address, at: timeline.now()))
      }
    } catch {
      // Its turn ends by its deadline, and there will be another.
      logger.debug("\(InstanceName.shown(instance.name).distinct) does not resolve: \(error)")
    }
  }
}
