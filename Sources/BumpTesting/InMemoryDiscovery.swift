public import BumpDiscovery
public import NIOCore
import Synchronization

/// Discovery in memory: senders and receivers that share one find each other at once.
public final class InMemoryDiscovery: Discovery {
  private struct State {
    var services: [String: Advertisement] = [:]
    var browsers: [Int: (type: String, feed: AsyncThrowingStream<BrowseEvent, any Error>.Continuation)] = [:]
    var advertisers: [String: AsyncThrowingStream<String, any Error>.Continuation] = [:]
    var next = 0
    var isGone = false
  }

  private static let gone = DiscoveryError(.unavailable, "the discovery in memory was taken away")
  private let state = Mutex(State())

  /// Makes a discovery without services.
  public init() {}

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
        continuation.yield(service.name)
        for browser in state.browsers.values where browser.type == service.type.description {
          browser.feed.yield(.found(Self.instance(service)))
        }
        return nil
      }
      if let refusal { return continuation.finish(throwing: refusal) }
      continuation.onTermination = { [weak self] _ in self?.withdraw(service) }
    }
  }

  public func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream { continuation in
      let id = state.withLock { state -> Int? in
        if state.isGone { return nil }
        state.next += 1
        state.browsers[state.next] = (type.description, continuation)
        for service in state.services.values where service.type == type {
          continuation.yield(.found(Self.instance(service)))
        }
        return state.next
      }
      guard let id else { return continuation.finish(throwing: Self.gone) }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.browsers.removeValue(forKey: id) }
      }
    }
  }

  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    guard let service = state.withLock({ $0.services[instance.name] }) else {
      // As on a network, nobody answers for an unknown instance. The stream ends when the task is cancelled.
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

  private func withdraw(_ service: Advertisement) {
    state.withLock { state in
      guard state.services.removeValue(forKey: service.name) != nil else { return }
      state.advertisers[service.name] = nil
      for browser in state.browsers.values where browser.type == service.type.description {
        browser.feed.yield(.lost(Self.instance(service)))
      }
    }
  }

  /// One DNS label without control characters (RFC 6763 §4.1.1).
  private static func isName(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private static func instance(_ service: Advertisement) -> ServiceInstance {
    ServiceInstance(name: service.name, type: service.type.description, interface: 1)
  }
}
