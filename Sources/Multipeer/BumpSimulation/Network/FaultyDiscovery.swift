public import BumpDiscovery
public import BumpFaults
public import NIOCore
import Synchronization

/// A discovery that calls another one, and changes by a plan what is reported and when.
public final class FaultyDiscovery: Discovery {
  /// The end of the name of the instance that leads nowhere.
  private static let ghost = " (2)"

  private let base: any Discovery
  private let plan: FaultPlan
  private let side: FaultSide
  private let clock: FaultClock
  /// The names of the instances that exist: a real one may be named as another's ghost would be.
  private let names = Mutex<Set<String>>([])
  /// The first record of each instance, for a plan in which newer ones are not read.
  private let records = Mutex<[String: TXTRecord]>([:])

  /// Makes the discovery of one side.
  public init(
    _ base: any Discovery, _ plan: FaultPlan, of side: FaultSide, clock: some Clock<Duration> = ContinuousClock()
  ) {
    (self.base, self.plan, self.side) = (base, plan, side)
    self.clock = FaultClock(clock)
  }

  /// `simulated`, whatever the discovery that is called.
  public var backend: String { "simulated" }

  /// The error of this host without discovery; `nil` if it has one.
  private var refusal: DiscoveryError? {
    if plan.hosts(of: side).contains(.noDiscovery) {
      return DiscoveryError(.unavailable, "SIMULATED: this host has no discovery")
    }
    for case .refused(let code?, let refused) in plan.discovery where refused == side || refused == .both {
      return DiscoveryError(.unavailable, "SIMULATED: refused with \(code)")
    }
    return nil
  }

  /// Whether browsing and advertising do nothing, without an error.
  private var isMute: Bool {
    plan.discovery.contains { $0 == .refused(code: nil, side) || $0 == .refused(code: nil, .both) }
  }

  /// Fails with `DiscoveryError.unavailable`, or announces nothing, if the plan refuses discovery to this side.
  public func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    if let refusal { return AsyncThrowingStream { $0.finish(throwing: refusal) } }
    if isMute { return AsyncThrowingStream { _ in } }
    return base.advertise(service)
  }

  /// Fails or yields nothing in the cases of `advertise`. Otherwise changes the events and their times by the plan.
  public func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    if let refusal { return AsyncThrowingStream { $0.finish(throwing: refusal) } }
    if isMute { return AsyncThrowingStream { _ in } }
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: BrowseEvent.self)
    let hasGhost = plan.hosts(of: .advertiser).contains(.secondEntry)
    let task = Task { [self, clock] in
      var view = FaultyView<ServiceInstance>(plan, of: "browser")
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for try await event in base.browse(type, subtype: subtype) {
            let now = clock.now()
            let due: [FaultyView<ServiceInstance>.Due]
            switch event {
            case .found(var instance):
              names.withLock { _ = $0.insert(instance.name) }
              due = view.found(instance, at: now)
              instance.name = Self.ghostName(instance.name)
              if hasGhost { continuation.yield(.found(instance)) }
            case .lost(let instance): due = view.lost(instance, at: now)
            }
            for each in due {
              group.addTask {
                try await clock.wait(each.at)
                switch each.report {
                case .found(let instance): continuation.yield(.found(instance))
                case .lost(let instance): continuation.yield(.lost(instance))
                case .ghost: break
                }
              }
            }
          }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Returns the name of the instance that leads nowhere. An instance name has at most 63 bytes.
  private static func ghostName(_ name: String) -> String {
    var name = name
    while name.utf8.count + ghost.utf8.count > 63 { name.removeLast() }
    return name + ghost
  }

  /// Waits until the task is cancelled if the entry leads nowhere. In a plan with stale records, returns the first TXT
  /// record that was resolved.
  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    if plan.hosts(of: .advertiser).contains(.secondEntry), instance.name.hasSuffix(Self.ghost),
      !names.withLock({ $0.contains(instance.name) })
    {
      // Nobody answers: wait until the task is cancelled, which ends the stream.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
    var service = try await base.resolve(instance)
    guard plan.discovery.contains(.stale) else { return service }
    service.txt = records.withLock { records in
      if records[instance.name] == nil { records[instance.name] = service.txt }
      return records[instance.name] ?? service.txt
    }
    return service
  }

  public func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    base.addresses(of: service)
  }

  public func questions(
    for type: ServiceType, subtype: ServiceSubtype?
  ) -> AsyncThrowingStream<Void, any Error> { base.questions(for: type, subtype: subtype) }

  /// Does nothing in a plan that hides the loss of services.
  public func reconfirm(_ instance: ServiceInstance) {
    if !plan.discovery.contains(.lossUnseen) { base.reconfirm(instance) }
  }

  public func settle() async { await base.settle() }
}
