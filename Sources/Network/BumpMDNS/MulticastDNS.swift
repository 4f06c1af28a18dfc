public import NIOCore
import NIOPosix
import Synchronization

/// Multicast DNS within this process. It needs no daemon and no privilege, and shares port 5353 with other processes.
///
/// It has sockets only while a conversation is active.
public final class MulticastDNS: Sendable {
  /// Runs a closure synchronously, such as on a thread in another network namespace.
  public typealias SocketContext = @Sendable (() -> Void) -> Void
  /// Receives the replies of a conversation, on the event loop. A failure is the last one.
  public typealias Receiver<Reply> = @Sendable (Result<Reply, MulticastDNSError>) -> Void

  private let driver: Driver
  private let tokens = Atomic<UInt64>(0)

  /// Makes a stack without sockets.
  ///
  /// - Parameters:
  ///   - interface: the index of a single network interface; 0 for all.
  ///   - loop: the event loop to run on; `nil` for one of NIO's shared ones.
  ///   - socketContext: runs the code that makes sockets.
  ///   - handOver: how long a service of another responder is announced here (`EarlyAnnouncement`).
  ///   - random: used for jitter, host names and message ids.
  ///   - onRefusal: called on the event loop, once per address family: another process holds the port of this family
  ///     and does not share it, so that the stack uses the other family alone. If it can use neither, its conversations
  ///     fail instead.
  ///   - onReturn: called on the event loop with a message when such a family can be used again. While a conversation is
  ///     active the stack tries the port again after 1 s, then less often, at least each 64 s.
  public init(
    interface: UInt32 = 0, on loop: (any EventLoop)? = nil,
    within socketContext: @escaping SocketContext = { $0() },
    handOver: Duration = Timing.handOver,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    onRefusal: @escaping @Sendable (MulticastDNSError) -> Void = { _ in },
    onReturn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    driver = Driver(
      interface: interface, loop: loop ?? MultiThreadedEventLoopGroup.singleton.next(), socketContext: socketContext,
      handOver: handOver, random: random, onRefusal: onRefusal, onReturn: onReturn)
  }

  /// An active question or publication.
  public struct Conversation: Sendable {
    fileprivate let driver: Driver
    fileprivate let token: UInt64

    /// Ends the conversation, and withdraws its service. May be called at any time, from any thread, more than once.
    public func cancel() { driver.run { [token] in $0.cancel(token) } }
  }

  /// Publishes a service. Replies once the service is announced. If another host has the name, withdraws the service
  /// and fails with `nameTaken`.
  public func publish(_ service: Service, _ receiver: @escaping Receiver<Void>) -> Conversation {
    converse { driver, token in driver.publish(service, token, receiver) }
  }

  /// Prepares the earlier announcement of a service that another responder on this host is about to register
  /// (`Engine.announceEarly`). Without sockets, nothing is announced earlier.
  ///
  /// - Parameter pointers: the PTR records of the service, identical to the responder's: that of its type first, then
  ///   those of its subtypes.
  public func prepareEarlyAnnouncement(_ pointers: [Record]) -> EarlyAnnouncement {
    EarlyAnnouncement(
      conversation: converse { driver, token in driver.prepareEarlyAnnouncement(token) }, pointers: pointers)
  }

  /// The earlier announcement of another responder's service.
  public struct EarlyAnnouncement: Sendable {
    fileprivate let conversation: Conversation
    fileprivate let pointers: [Record]

    /// Announces the service. Call it once the responder has registered it; further calls do nothing.
    public func begin() { conversation.driver.run { [self] in $0.announceEarly(pointers, conversation.token) } }

    /// Withdraws the announcement: the responder failed to register the service.
    public func withdraw() { conversation.driver.run { [self] in $0.withdrawEarly(conversation.token) } }

    /// Stops announcing, which also happens after the hand-over time, and calls back. Withdraw the service from its
    /// responder only after that: a later announcement would list the service again.
    public func end(_ done: @escaping @Sendable () -> Void) {
      conversation.driver.run { [conversation] driver in
        driver.cancel(conversation.token)
        done()
      }
    }
  }

  /// Starts an operation, which runs until it is cancelled.
  public func ask(_ operation: Operation, _ receiver: @escaping Receiver<Event>) -> Conversation {
    converse { driver, token in driver.ask(operation, token, receiver) }
  }

  /// Asks again for an instance that does not answer at its address (RFC 6762 §10.4).
  public func reconfirm(_ instance: DomainName, interface: UInt32) {
    driver.run { $0.reconfirm(instance, interface: interface) }
  }

  /// Waits until the goodbyes of cancelled conversations are sent, and unneeded sockets closed.
  public func settle() async {
    await withCheckedContinuation { continuation in driver.settle { continuation.resume() } }
  }

  private func converse(_ begin: @escaping @Sendable (Driver, UInt64) -> Void) -> Conversation {
    let token = tokens.wrappingAdd(1, ordering: .relaxed).newValue
    driver.run { begin($0, token) }
    return Conversation(driver: driver, token: token)
  }
}
