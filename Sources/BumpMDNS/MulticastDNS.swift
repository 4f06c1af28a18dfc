public import NIOCore
import NIOPosix

/// Why nothing can be found or published. Its description is a sentence for a person.
public struct MulticastDNSError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// Somebody has the port for himself, or sockets are not to be had.
    case unavailable
    /// Another service, here or elsewhere, has the name.
    case nameTaken
    /// No name that a service can have.
    case badName
  }

  public let reason: Reason
  public let description: String
}

/// An instance of a service that comes or goes, on one network interface.
public enum Sighting: Hashable, Sendable {
  case found(DomainName, interface: UInt32)
  case lost(DomainName, interface: UInt32)
}

/// Multicast DNS within this process: needs no daemon and no privilege, and shares port 5353 with those who have it too.
///
/// It has sockets while something is asked for or published. Each stream runs until whoever iterates it ends.
public final class MulticastDNS: Sendable {
  /// Runs what it is given, here and now.
  public typealias Surroundings = @Sendable (() -> Void) -> Void

  private let driver: Driver

  /// - Parameters:
  ///   - interface: the index of the one network interface to use; 0 for all.
  ///   - loop: what everything runs on; `nil` for one of NIO's own.
  ///   - surroundings: within which sockets are made. A thread can be in a network namespace of its own.
  ///   - random: jitter, numbers and the hosts' names.
  public init(
    interface: UInt32 = 0, on loop: (any EventLoop)? = nil,
    within surroundings: @escaping Surroundings = { $0() },
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    driver = Driver(
      interface: interface, loop: loop ?? MultiThreadedEventLoopGroup.singleton.next(), surroundings: surroundings,
      random: random)
  }

  /// Publishes a service. Yields once it is announced.
  ///
  /// - Throws: `MulticastDNSError`; with `nameTaken` where somebody else turns out to have the name, after which it is
  ///   withdrawn.
  public func publish(_ service: Service) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream { continuation in
      driver.run { driver in
        guard driver.begin(continuation.finish(throwing:)) else { return }
        let id: ServiceID
        do throws(PublishError) {
          id = try driver.engine.publish(service, at: driver.now)
        } catch {
          driver.end()
          return continuation.finish(throwing: MulticastDNSError(error))
        }
        driver.owners[id] = { continuation.finish(throwing: MulticastDNSError(because: .nameTaken)) }
        driver.failures[id.value] = { continuation.finish(throwing: $0) }
        continuation.onTermination = { [driver] _ in driver.run { $0.withdraw(id) } }
        driver.turn()
        continuation.yield()
      }
    }
  }

  /// The instances of a type that come and go. A reader who lags by `limit` events misses the oldest ones.
  public func browse(_ type: DomainName, limit: Int = 4096) -> AsyncThrowingStream<Sighting, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
      ask(.browse(type, interface: 0), continuation) { event in
        switch event {
        case .found(_, let instance, let interface): continuation.yield(.found(instance, interface: interface))
        case .lost(_, let instance, let interface): continuation.yield(.lost(instance, interface: interface))
        default: break
        }
      }
    }
  }

  /// Where an instance is. Yields once, whenever that is known, and ends.
  ///
  /// - Parameter interface: where to ask; 0 for everywhere.
  public func resolve(_ instance: DomainName, interface: UInt32 = 0) -> AsyncThrowingStream<Resolution, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(1)) { continuation in
      ask(.resolve(instance, interface: interface), continuation) { event in
        guard case .resolved(_, let resolution) = event else { return }
        continuation.yield(resolution)
        continuation.finish()
      }
    }
  }

  /// The addresses of a host, 4 or 16 bytes each, and by which interface they came.
  ///
  /// - Parameter limit: how many are kept for a slow reader. A host has a handful.
  public func addresses(
    of host: DomainName, interface: UInt32 = 0, limit: Int = 64
  ) -> AsyncThrowingStream<(bytes: [UInt8], interface: UInt32), any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(limit)) { continuation in
      ask(.addresses(host, interface: interface), continuation) { event in
        guard case .address(_, let bytes, let interface) = event else { return }
        continuation.yield((bytes, interface))
      }
    }
  }

  /// Has an instance asked for again that does not answer where it says it is (RFC 6762 §10.4).
  public func reconfirm(_ instance: DomainName, interface: UInt32) {
    driver.run { driver in
      driver.engine.reconfirm(instance, interface: interface, at: driver.now)
      driver.turn()
    }
  }

  /// Returns once the goodbyes of streams that have ended are sent, and no socket is left that nobody needs.
  public func settle() async {
    await withCheckedContinuation { continuation in driver.settle { continuation.resume() } }
  }

  private func ask<Element>(
    _ operation: Operation, _ continuation: AsyncThrowingStream<Element, any Error>.Continuation,
    _ receiver: @escaping @Sendable (Event) -> Void
  ) {
    driver.run { driver in
      guard driver.begin(continuation.finish(throwing:)) else { return }
      let id = driver.engine.start(operation, at: driver.now)
      driver.receivers[id] = receiver
      driver.failures[id.value] = { continuation.finish(throwing: $0) }
      continuation.onTermination = { [driver] _ in driver.run { $0.cancel(id) } }
      driver.turn()
    }
  }
}

extension MulticastDNSError {
  public static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }

  init(because reason: Reason) {
    self.reason = reason
    description =
      switch reason {
      case .unavailable: "multicast DNS cannot use UDP port 5353 here; `ss -ulpn` tells who has it"
      case .nameTaken: "another service has that name; choose another"
      case .badName: "a service name is 1 to 63 bytes without control characters"
      }
  }

  init(_ error: PublishError) { self.init(because: error == .nameTaken ? .nameTaken : .badName) }
}
