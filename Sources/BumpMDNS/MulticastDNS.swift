public import NIOCore
import NIOPosix
import Synchronization

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

/// Multicast DNS within this process: needs no daemon and no privilege, and shares port 5353 with those who have it too.
///
/// It has sockets while something is asked for or published.
public final class MulticastDNS: Sendable {
  /// Runs what it is given, here and now.
  public typealias Surroundings = @Sendable (() -> Void) -> Void
  /// Takes what a conversation has to say, on the event loop. A failure is the last.
  public typealias Receiver<Reply> = @Sendable (Result<Reply, MulticastDNSError>) -> Void

  private let driver: Driver
  private let tokens = Atomic<UInt64>(0)

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

  /// A question or a publication under way.
  public struct Conversation: Sendable {
    fileprivate let driver: Driver
    fileprivate let token: UInt64

    /// Ends it: what was published is withdrawn. May be called at any time, from anywhere, more than once.
    public func cancel() { driver.run { [token] in $0.cancel(token) } }
  }

  /// Publishes a service. Replies once it is announced; fails with `nameTaken` where somebody else turns out to have the
  /// name, after which it is withdrawn.
  public func publish(_ service: Service, _ receiver: @escaping Receiver<Void>) -> Conversation {
    converse { driver, token in driver.publish(service, token, receiver) }
  }

  /// Has a service found at once that another responder on this host registers: `Engine.hasten`. Where there are no
  /// sockets to be had, it is found when that responder announces it.
  ///
  /// - Parameter pointer: a PTR record of the service's type, as the responder has it.
  public func prepareToHasten(_ pointer: Record) -> Hastening {
    Hastening(conversation: converse { driver, token in driver.prepareHastening(token) }, pointer: pointer)
  }

  /// A service of another responder on this host, whose announcement is hastened.
  public struct Hastening: Sendable {
    fileprivate let conversation: Conversation
    fileprivate let pointer: Record

    /// To be called once the responder has registered the service. Only the first call does anything.
    public func begin() { conversation.driver.run { [self] in $0.hasten(pointer, conversation.token) } }

    /// Takes back what was announced: the responder does not have the service after all.
    public func withdraw() { conversation.driver.run { [self] in $0.withdrawHastened(conversation.token) } }

    /// Leaves the service to the responder, which also happens by itself after a second. Calls back when nothing more is
    /// announced: what the responder withdraws before would be listed again by that.
    public func end(_ done: @escaping @Sendable () -> Void) {
      conversation.driver.run { [conversation] driver in
        driver.cancel(conversation.token)
        done()
      }
    }
  }

  /// Asks until it is cancelled.
  public func ask(_ operation: Operation, _ receiver: @escaping Receiver<Event>) -> Conversation {
    converse { driver, token in driver.ask(operation, token, receiver) }
  }

  /// Has an instance asked for again that does not answer where it says it is (RFC 6762 §10.4).
  public func reconfirm(_ instance: DomainName, interface: UInt32) {
    driver.run { $0.reconfirm(instance, interface: interface) }
  }

  /// Returns once the goodbyes of conversations that were cancelled are sent, and what nobody needs any more is closed.
  public func settle() async {
    await withCheckedContinuation { continuation in driver.settle { continuation.resume() } }
  }

  private func converse(_ begin: @escaping @Sendable (Driver, UInt64) -> Void) -> Conversation {
    let token = tokens.wrappingAdd(1, ordering: .relaxed).newValue
    driver.run { begin($0, token) }
    return Conversation(driver: driver, token: token)
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
