public import BumpDiscovery
public import NIOCore
import Synchronization

/// Discovery in memory: senders and receivers that share this object find each other at once.
public final class InMemoryDiscovery: Discovery {
  private struct State {
    var services: [String: Advertisement] = [:]
    var browsers: [Int: Browser] = [:]
    var advertisers: [String: AsyncThrowingStream<String, any Error>.Continuation] = [:]
    var next = 0
    var isGone = false
    /// The events to deliver to streams, in order.
    var news: [@Sendable () -> Void] = []
    /// Whether a call is delivering events.
    var isTelling = false
  }

  private struct Browser {
    let type: ServiceType
    let subtype: ServiceSubtype?
    let feed: AsyncThrowingStream<BrowseEvent, any Error>.Continuation

    func isFor(_ service: Advertisement) -> Bool {
      service.type == type && (subtype.map(service.subtypes.contains) ?? true)
    }
  }

  private static let gone = DiscoveryError(.unavailable, "the discovery in memory was taken away")
  private let state = Mutex(State())

  /// Makes a discovery without services.
  public init() {}

  /// The name of the backend.
  public let backend = "memory"

  public func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      let refusal = state.withLock { state -> DiscoveryError? in
        if state.isGone { return Self.gone }
        guard Self.isName(service.name) else { return DiscoveryError(.failed, "not the name of a service") }
        guard state.services[service.name] == nil else {
          return DiscoveryError(.nameTaken, "another service has this name")
        }
        state.services[service.name] = service
        state.advertisers[service.name] = continuation
        state.news.append { continuation.yield(service.name) }
        Self.announce(BrowseEvent.found, of: service, in: &state)
        return nil
      }
      if let refusal { return continuation.finish(throwing: refusal) }
      continuation.onTermination = { [weak self] _ in self?.withdraw(service) }
      tell()
    }
  }

  public func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream { continuation in
      let id = state.withLock { state -> Int? in
        if state.isGone { return nil }
        state.next += 1
        let browser = Browser(type: type, subtype: subtype, feed: continuation)
        state.browsers[state.next] = browser
        for service in state.services.values where browser.isFor(service) {
          let instance = Self.instance(service)
          state.news.append { continuation.yield(.found(instance)) }
        }
        return state.next
      }
      guard let id else { return continuation.finish(throwing: Self.gone) }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.browsers.removeValue(forKey: id) }
      }
      tell()
    }
  }

  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    guard let service = state.withLock({ $0.services[instance.name] }) else {
      // As on a network, an unknown instance gets no answer. The stream ends when the task is cancelled.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
    return ResolvedService(host: "memory.local.", port: service.port, txt: service.txt, interface: instance.interface)
  }

  public func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    AsyncThrowingStream { continuation in
      do {
        continuation.yield(try InMemoryNetwork.address(port: service.port))
      } catch {
        continuation.finish(throwing: error)
      }
    }
  }

  /// Fails all browsers and advertisers, like a daemon that is killed.
  public func takeAway() {
    let (browsers, advertisers) = state.withLock { state in
      state.isGone = true
      state.services = [:]
      defer {
        state.browsers = [:]
        state.advertisers = [:]
      }
      return (state.browsers.values.map(\.feed), Array(state.advertisers.values))
    }
    for browser in browsers { browser.finish(throwing: Self.gone) }
    for advertiser in advertisers { advertiser.finish(throwing: Self.gone) }
  }

  public func settle() async { tell() }

  private static func announce(
    _ event: (ServiceInstance) -> BrowseEvent, of service: Advertisement, in state: inout State
  ) {
    let event = event(instance(service))
    for browser in state.browsers.values where browser.isFor(service) {
      state.news.append { browser.feed.yield(event) }
    }
  }

  /// Delivers the events, unless another call is doing so. Does not hold the lock meanwhile: yielding takes the lock of
  /// the waiting task. If that task is cancelled, its stream ends under that lock, and takes the lock here.
  private func tell() {
    var isFirst = true
    while let news = state.withLock({ state -> (@Sendable () -> Void)? in
      if isFirst, state.isTelling { return nil }
      isFirst = false
      state.isTelling = !state.news.isEmpty
      return state.news.isEmpty ? nil : state.news.removeFirst()
    }) { news() }
  }

  /// Removes a service at once, and delivers the event in a task: see `tell`.
  private func withdraw(_ service: Advertisement) {
    state.withLock { state in
      guard state.services.removeValue(forKey: service.name) != nil else { return }
      state.advertisers[service.name] = nil
      Self.announce(BrowseEvent.lost, of: service, in: &state)
    }
    Task { tell() }
  }

  /// Returns whether a name is one DNS label without control characters (RFC 6763 §4.1.1).
  private static func isName(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private static func instance(_ service: Advertisement) -> ServiceInstance {
    ServiceInstance(name: service.name, type: service.type.description, interface: 1)
  }
}
