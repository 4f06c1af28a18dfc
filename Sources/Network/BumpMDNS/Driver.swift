import Glibc
import NIOCore
import NIOPosix

/// Drives an engine with sockets, a clock and the interfaces of this host, while a conversation is active.
///
/// Sendable because everything runs on its event loop.
final class Driver: @unchecked Sendable {
  /// A socket, and the channel that reads from it and owns it.
  private struct Port {
    var channel: any Channel
    var descriptor: CInt
  }

  /// The sockets of a link: at the group, on a port of the stack's own, and at the host's addresses.
  private struct Ports {
    var listening: Port
    var asking: Port?
    var direct: [[UInt8]: Port] = [:]

    var channels: [any Channel] {
      [listening.channel] + (asking.map { [$0.channel] } ?? []) + direct.values.map(\.channel)
    }
  }

  private enum Conversation {
    case asking(OperationID)
    case publishing(ServiceID)
    /// `nil` until the service is known.
    case earlyAnnouncement(ServiceID?)
  }

  private let interface: UInt32
  private let loop: any EventLoop
  private let socketContext: MulticastDNS.SocketContext
  private let handOver: Duration
  private let random: any RandomNumberGenerator & Sendable
  private let onRefusal: @Sendable (MulticastDNSError) -> Void
  private let onReturn: @Sendable (String) -> Void
  private let start = NIODeadline.now()

  private var engine: Engine
  /// The active conversations by token.
  private var conversations: [UInt64: Conversation] = [:]
  private var asked: [OperationID: MulticastDNS.Receiver<Event>] = [:]
  private var published: [ServiceID: (token: UInt64, receiver: MulticastDNS.Receiver<Void>)] = [:]
  private var isOpen = false
  private var interfaces: [Interface] = []
  private var heldFamilies = HeldFamilies()
  /// The next attempt to make the sockets of a held family.
  private var retry: Scheduled<Void>?
  private var ports: [Link: Ports] = [:]
  private var changes: InterfaceChanges?
  private var timer: (due: Moment, task: Scheduled<Void>)?
  private var closing: [EventLoopFuture<Void>] = []

  init(
    interface: UInt32, loop: any EventLoop, socketContext: @escaping MulticastDNS.SocketContext,
    handOver: Duration, random: any RandomNumberGenerator & Sendable,
    onRefusal: @escaping @Sendable (MulticastDNSError) -> Void, onReturn: @escaping @Sendable (String) -> Void
  ) {
    (self.interface, self.loop, self.socketContext, self.handOver) = (interface, loop, socketContext, handOver)
    (self.random, self.onRefusal, self.onReturn) = (random, onRefusal, onReturn)
    engine = Engine(random: random)
  }

  /// The time since the driver was made.
  private var now: Moment { .nanoseconds((NIODeadline.now() - start).nanoseconds) }

  func run(_ body: @escaping @Sendable (Driver) -> Void) {
    loop.execute { body(self) }
  }

  // MARK: Conversations

  func ask(_ operation: Operation, _ token: UInt64, _ receiver: @escaping MulticastDNS.Receiver<Event>) {
    guard open() else { return receiver(.failure(.unavailable)) }
    let id = engine.start(operation, at: now)
    conversations[token] = .asking(id)
    asked[id] = receiver
    turn()
  }

  func publish(_ service: Service, _ token: UInt64, _ receiver: @escaping MulticastDNS.Receiver<Void>) {
    guard open() else { return receiver(.failure(.unavailable)) }
    do throws(PublishError) {
      let id = try engine.publish(service, at: now)
      conversations[token] = .publishing(id)
      published[id] = (token, receiver)
      followAddresses()
      turn()
      receiver(.success(()))
    } catch {
      closeIfUnneeded()
      receiver(.failure(MulticastDNSError(error)))
    }
  }

  /// Makes the sockets that `announceEarly` needs.
  func prepareEarlyAnnouncement(_ token: UInt64) {
    if open() { conversations[token] = .earlyAnnouncement(nil) }
  }

  func announceEarly(_ pointers: [Record], _ token: UInt64) {
    guard case .earlyAnnouncement(nil)? = conversations[token] else { return }
    conversations[token] = .earlyAnnouncement(engine.announceEarly(pointers, at: now, handOver: handOver))
    turn()
  }

  func withdrawEarly(_ token: UInt64) {
    if case .earlyAnnouncement(let id?)? = conversations[token] { engine.withdraw(id, at: now) }
    cancel(token)
  }

  func cancel(_ token: UInt64) {
    switch conversations.removeValue(forKey: token) {
    case .asking(let id):
      asked[id] = nil
      engine.cancel(id)
    case .publishing(let id):
      published[id] = nil
      engine.withdraw(id, at: now)
      followAddresses()
    case .earlyAnnouncement(let id):
      if let id { engine.handOver(id) }
    case nil: return
    }
    turn()
    closeIfUnneeded()
  }

  func reconfirm(_ instance: DomainName, interface: UInt32) {
    engine.reconfirm(instance, interface: interface, at: now)
    turn()
  }

  /// Makes the sockets, unless they exist.
  ///
  /// - Returns: whether there are sockets.
  private func open() -> Bool {
    guard !isOpen else { return true }
    isOpen = true
    socketContext {
      changes = InterfaceChanges { [weak self] in self?.run { $0.follow() } }
    }
    if follow() { return true }
    close()
    return false
  }

  private func closeIfUnneeded() {
    if conversations.isEmpty { close() }
  }

  /// Sends what is due, and closes all sockets.
  private func close() {
    isOpen = false
    timer?.task.cancel()
    timer = nil
    retry?.cancel()
    retry = nil
    // The next conversation begins with the first delay.
    _ = heldFamilies.delay(refused: [])
    changes?.stop()
    changes = nil
    for link in Array(ports.keys) { close(link) }
    engine = Engine(random: random)
  }

  /// Calls back once all earlier calls have been executed and all closing sockets are closed.
  func settle(_ done: @escaping @Sendable () -> Void) {
    run { driver in
      let closing = driver.closing
      driver.closing = []
      EventLoopFuture.andAllComplete(closing, on: driver.loop).whenComplete { _ in done() }
    }
  }

  // MARK: Interfaces

  /// Updates the engine and the sockets to the current interfaces.
  ///
  /// - Returns: whether at least one interface has a socket, or there is no interface.
  @discardableResult
  private func follow() -> Bool {
    guard isOpen else { return true }
    var usable: [Interface] = []
    var isRefused = false
    var held: Set<Family> = []
    socketContext {
      let current = Interface.current(only: interface)
      let links = Set(current.flatMap(\.links))
      for link in Array(ports.keys) where !links.contains(link) { close(link) }
      for interface in current {
        for link in interface.links where ports[link] == nil {
          do { try open(link, on: interface) } catch {
            isRefused = true
            if (error as? SocketError)?.code == EADDRINUSE { held.insert(link.family) }
          }
        }
      }
      interfaces = current
      usable = current.map { interface in
        Interface(
          index: interface.index,
          addresses: interface.addresses.filter {
            ports[Link(interface: interface.index, family: $0.family)] != nil
          })
      }
    }
    followAddresses()
    report(held)
    engine.update(usable, at: now)
    turn()
    return !(isRefused && ports.isEmpty)
  }

  /// Reports the families of which another process has the port, and those that are back; and tries the former again
  /// later. If no family is left, every conversation fails, and that is reported instead.
  private func report(_ held: Set<Family>) {
    for news in heldFamilies.note(refused: held, open: Set(ports.keys.map(\.family))) {
      switch news {
      case .held(let family): onRefusal(.held(family))
      case .back(let family): onReturn("\(family.name) multicast DNS is available again")
      }
    }
    if held.isEmpty { retry?.cancel() }
    // Changes of the interfaces do not put off an attempt that is due.
    guard held.isEmpty || retry == nil else { return }
    retry = heldFamilies.delay(refused: held).map { delay in
      loop.scheduleTask(in: .seconds(delay.components.seconds)) { [weak self] in
        self?.retry = nil
        _ = self?.follow()
      }
    }
  }

  private func open(_ link: Link, on interface: Interface) throws {
    let listening = try port(LinkSocket.listening(link, on: interface), Receiver(self, link, .group))
    // The second socket is optional: without it, answers arrive a little later.
    let asking = try? port(LinkSocket.asking(link, on: interface), Receiver(self, link, .ownPort))
    ports[link] = Ports(listening: listening, asking: asking)
  }

  /// Makes the sockets that receive questions to the addresses of this host (RFC 6762 §5.5), and closes those of
  /// addresses that are gone. Only while a service is published: they take what is sent to a process that shares the
  /// port and came later.
  private func followAddresses() {
    socketContext {
      for link in Array(ports.keys) {
        let interface = published.isEmpty ? nil : interfaces.first { $0.index == link.interface }
        let addresses = (interface?.addresses ?? []).filter { $0.family == link.family }.map(\.bytes)
        for (address, port) in ports[link]?.direct ?? [:] where !addresses.contains(address) {
          ports[link]?.direct[address] = nil
          close(port.channel)
        }
        for address in addresses where ports[link]?.direct[address] == nil {
          guard let interface, let descriptor = try? LinkSocket.direct(address, link, on: interface) else { continue }
          ports[link]?.direct[address] = try? port(descriptor, Receiver(self, link, .address(descriptor)))
        }
      }
    }
  }

  private func port(_ descriptor: CInt, _ receiver: Receiver) throws -> Port {
    // On the event loop these futures complete at once, so nothing waits.
    let future = DatagramBootstrap(group: loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Message.maximumLength + 1))
      .channelOption(.receivePacketInfo, value: true)
      // Reads the packets of many hosts in one turn.
      .channelOption(.maxMessagesPerRead, value: 64)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(receiver) }
      }
      .withBoundSocket(descriptor)
    var result: Result<any Channel, any Error>?
    future.assumeIsolated().whenComplete { result = $0 }
    return Port(channel: try (result ?? .failure(SocketError(code: EAGAIN))).get(), descriptor: descriptor)
  }

  private func close(_ link: Link) {
    for channel in ports.removeValue(forKey: link)?.channels ?? [] { close(channel) }
  }

  private func close(_ channel: any Channel) {
    closing.append(channel.closeFuture)
    channel.close(promise: nil)
    // Only the latest are kept: older ones have been closed by now.
    if closing.count > 64 { closing.removeFirst(closing.count - 64) }
  }

  /// Handles a socket that an error has closed: makes another one if its interface still exists.
  fileprivate func isClosed(_ channel: any Channel, _ link: Link) {
    guard ports[link]?.channels.contains(where: { $0 === channel }) == true else { return }
    close(link)
    // Delayed, so that a repeated failure costs little.
    loop.scheduleTask(in: .seconds(1)) { [weak self] in _ = self?.follow() }
  }

  // MARK: Packets, time and events

  /// - Parameter direct: the socket at the address that the packet was sent to; `nil` for one of the other sockets. The
  ///   answer to the sender alone leaves through it: a resolver expects it from the address that it has asked.
  fileprivate func receive(_ arrival: ReceivedPacket, by direct: CInt?) {
    engine.receive(arrival, at: now)
    guard let direct else { return }
    for transmission in engine.takeTransmissions() { send(transmission, by: direct) }
  }

  /// Advances the engine, sends its transmissions, and passes on its events.
  fileprivate func turn() {
    guard isOpen else { return }
    engine.advance(to: now)
    for transmission in engine.takeTransmissions() { send(transmission) }
    for event in engine.takeEvents() { tell(event) }
    wake(at: engine.next)
  }

  private func wake(at next: Moment?) {
    guard timer?.due != next else { return }
    timer?.task.cancel()
    timer = next.map { next in
      let delay = max(next - now, .zero)
      let nanoseconds = delay.components.seconds * 1_000_000_000 + delay.components.attoseconds / 1_000_000_000
      let task = loop.scheduleTask(in: .nanoseconds(nanoseconds)) { [weak self] in
        self?.timer = nil
        self?.turn()
      }
      return (next, task)
    }
  }

  /// Sends a packet once: if it is lost, it is asked for again. Channel writes are not used, since a failed write
  /// closes the channel.
  ///
  /// - Parameter direct: the socket for a packet to one host; `nil` for the one at the group.
  private func send(_ transmission: OutgoingPacket, by direct: CInt? = nil) {
    guard let ports = ports[transmission.link] else { return }
    let listening = ports.listening.descriptor
    let (descriptor, address): (CInt?, SocketAddress?) =
      switch transmission.destination {
      case .group: (listening, try? LinkSocket.group(transmission.link))
      case .groupFromOwnPort: (ports.asking?.descriptor, try? LinkSocket.group(transmission.link))
      case .host(let bytes, let port):
        (direct ?? listening, SocketAddress(bytes, port: port, interface: transmission.link.interface))
      }
    guard let descriptor, let address else { return }
    let bytes = transmission.bytes
    _ = address.withSockAddr { sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t($1)) }
  }

  private func tell(_ event: Event) {
    switch event {
    case .found(let id, _, _), .lost(let id, _, _), .address(let id, _, _), .resolved(let id, _), .asked(let id):
      asked[id]?(.success(event))
    case .conflict(let id):
      guard let (token, receiver) = published[id] else { return }
      cancel(token)
      receiver(.failure(.nameTaken))
    case .handedOver(let id):
      let tokens = conversations.filter { if case .earlyAnnouncement(id) = $0.value { true } else { false } }.keys
      for token in tokens { conversations[token] = nil }
      closeIfUnneeded()
    }
  }
}

/// Passes the packets of a socket to the driver, on the event loop.
private final class Receiver: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  /// What a socket is bound to.
  enum Binding {
    case group, ownPort
    /// One of the host's addresses. Answers leave through the same socket.
    case address(CInt)
  }

  private weak var driver: Driver?
  private let link: Link
  private let isMulticast: Bool
  private let direct: CInt?

  init(_ driver: Driver, _ link: Link, _ place: Binding) {
    (self.driver, self.link) = (driver, link)
    isMulticast = if case .group = place { true } else { false }
    direct = if case .address(let descriptor) = place { descriptor } else { nil }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    guard let (source, port) = envelope.remoteAddress.bytesAndPort else { return }
    if let info = envelope.metadata?.packetInfo, UInt32(clamping: info.interfaceIndex) != link.interface {
      // Some kernels deliver a multicast packet to every socket of the group, whatever its interface. A link-local
      // source of another link looks like one of this link.
      if isMulticast || LocalAddress.isLinkLocal(source) { return }
    }
    driver?.receive(
      ReceivedPacket(
        bytes: Array(envelope.data.readableBytesView), source: source, port: port, link: link, isMulticast: isMulticast),
      by: direct)
  }

  func channelReadComplete(context: ChannelHandlerContext) { driver?.turn() }

  func channelInactive(context: ChannelHandlerContext) { driver?.isClosed(context.channel, link) }

  /// Ignores errors: they concern one packet, or close the channel anyway.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension SocketAddress {
  /// The 4 or 16 bytes of its IP address, and its port.
  fileprivate var bytesAndPort: ([UInt8], UInt16)? {
    // The offsets in sockaddr_in and sockaddr_in6 (ip(7), ipv6(7)): NIO does not expose their fields.
    let place: Range<Int>
    switch self {
    case .v4: place = 4..<8
    case .v6: place = 8..<24
    case .unixDomainSocket: return nil
    }
    let bytes = withSockAddr { address, size in Array(UnsafeRawBufferPointer(start: address, count: size)[place]) }
    return (bytes, UInt16(clamping: port ?? 0))
  }

  /// Makes an address, with its zone if it is link-local.
  init?(_ bytes: [UInt8], port: UInt16, interface: UInt32) {
    guard let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: Int(port)) else {
      return nil
    }
    guard bytes.count == 16, LocalAddress.isLinkLocal(bytes), let text = address.ipAddress,
      let zoned = try? SocketAddress(ipAddress: "\(text)%\(interface)", port: Int(port))
    else {
      self = address
      return
    }
    self = zoned
  }
}
