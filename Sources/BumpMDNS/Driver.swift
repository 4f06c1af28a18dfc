import Glibc
import NIOCore
import NIOPosix

/// Gives an engine sockets, a clock and the interfaces of this host, while somebody needs it.
///
/// All of it is touched on its event loop only, which makes it Sendable.
final class Driver: @unchecked Sendable {
  /// The channels of a link: on port 5353, and on a port of our own.
  private struct Channels {
    var listening: any Channel
    var asking: (any Channel)?

    var all: [any Channel] { [listening, asking].compactMap { $0 } }
  }

  private let interface: UInt32
  private let loop: any EventLoop
  private let surroundings: MulticastDNS.Surroundings
  private let random: any RandomNumberGenerator & Sendable
  private let start = NIODeadline.now()

  var engine: Engine
  var receivers: [OperationID: @Sendable (Event) -> Void] = [:]
  var owners: [ServiceID: @Sendable () -> Void] = [:]
  var failures: [UInt64: @Sendable (MulticastDNSError) -> Void] = [:]
  private var users = 0
  private var channels: [Link: Channels] = [:]
  private var changes: InterfaceChanges?
  private var timer: Scheduled<Void>?
  private var closing: [EventLoopFuture<Void>] = []

  init(
    interface: UInt32, loop: any EventLoop, surroundings: @escaping MulticastDNS.Surroundings,
    random: any RandomNumberGenerator & Sendable
  ) {
    (self.interface, self.loop, self.surroundings, self.random) = (interface, loop, surroundings, random)
    engine = Engine(random: random)
  }

  /// Since this began.
  var now: Moment { .nanoseconds((NIODeadline.now() - start).nanoseconds) }

  func run(_ body: @escaping @Sendable (Driver) -> Void) {
    loop.execute { body(self) }
  }

  // MARK: Who needs it

  /// Counts one more who needs it. The first has the sockets made.
  ///
  /// - Parameter fail: told where there are none to be had.
  func begin(_ fail: (MulticastDNSError) -> Void) -> Bool {
    users += 1
    guard users == 1 else { return true }
    surroundings {
      changes = InterfaceChanges { [weak self] in self?.run { $0.follow() } }
    }
    guard follow() else {
      end()
      fail(MulticastDNSError(because: .unavailable))
      return false
    }
    return true
  }

  /// One needs it no more. With the last, the sockets are closed, once what is due is sent.
  func end() {
    users -= 1
    guard users == 0 else { return }
    timer?.cancel()
    timer = nil
    changes?.stop()
    changes = nil
    for link in Array(channels.keys) { close(link) }
    engine = Engine(random: random)
  }

  func cancel(_ id: OperationID) {
    guard failures.removeValue(forKey: id.value) != nil else { return }
    receivers[id] = nil
    engine.cancel(id)
    end()
  }

  func withdraw(_ id: ServiceID) {
    guard failures.removeValue(forKey: id.value) != nil else { return }
    owners[id] = nil
    engine.withdraw(id, at: now)
    turn()
    end()
  }

  /// Calls back once everything that was asked of this before is done, and what is closed is closed.
  func settle(_ done: @escaping @Sendable () -> Void) {
    run { driver in
      let closing = driver.closing
      driver.closing = []
      EventLoopFuture.andAllComplete(closing, on: driver.loop).whenComplete { _ in done() }
    }
  }

  // MARK: Interfaces

  /// Takes the interfaces as they are now.
  ///
  /// - Returns: whether it can be heard on any of them, or there is none.
  @discardableResult
  private func follow() -> Bool {
    guard users > 0 else { return true }
    var usable: [Interface] = []
    var isRefused = false
    surroundings {
      let current = Interface.current(only: interface)
      let links = Set(current.flatMap(\.links))
      for link in Array(channels.keys) where !links.contains(link) { close(link) }
      for link in links where channels[link] == nil {
        do { try open(link) } catch { isRefused = true }
      }
      usable = current.map { interface in
        Interface(
          index: interface.index,
          addresses: interface.addresses.filter {
            channels[Link(interface: interface.index, family: $0.family)] != nil
          })
      }
    }
    engine.update(usable, at: now)
    turn()
    return !(isRefused && channels.isEmpty)
  }

  private func open(_ link: Link) throws {
    let listening = try channel(LinkSocket.listening(link), Receiver(self, link, isMulticast: true))
    // Without it, what is asked is answered a little later.
    let asking = try? channel(LinkSocket.asking(link), Receiver(self, link, isMulticast: false))
    channels[link] = Channels(listening: listening, asking: asking)
  }

  private func channel(_ descriptor: CInt, _ receiver: Receiver) throws -> any Channel {
    // What is done on the loop is done here and now: no promise is waited for.
    let future = DatagramBootstrap(group: loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Message.maximumLength + 1))
      .channelOption(.receivePacketInfo, value: true)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(receiver) }
      }
      .withBoundSocket(descriptor)
    var result: Result<any Channel, any Error>?
    future.assumeIsolated().whenComplete { result = $0 }
    return try (result ?? .failure(SocketError(code: EAGAIN))).get()
  }

  private func close(_ link: Link) {
    for channel in channels.removeValue(forKey: link)?.all ?? [] {
      closing.append(channel.closeFuture)
      channel.close(promise: nil)
    }
    // Those that are closed need not be waited for.
    if closing.count > 64 { closing.removeFirst(closing.count - 64) }
  }

  /// A socket was closed by its error; a change of the interfaces, or the next one who needs it, has it made anew.
  fileprivate func isClosed(_ channel: any Channel, _ link: Link) {
    guard channels[link]?.all.contains(where: { $0 === channel }) == true else { return }
    close(link)
  }

  // MARK: Packets, time and events

  fileprivate func receive(_ arrival: Arrival) { engine.receive(arrival, at: now) }

  /// Does what is due, sends what is to be sent, tells what is to be told.
  func turn() {
    engine.advance(to: now)
    for transmission in engine.takeTransmissions() { send(transmission) }
    for event in engine.takeEvents() { tell(event) }
    timer?.cancel()
    timer = engine.next.map { next in
      let delay = max(next - now, .zero)
      let nanoseconds = delay.components.seconds * 1_000_000_000 + delay.components.attoseconds / 1_000_000_000
      return loop.scheduleTask(in: .nanoseconds(nanoseconds)) { [weak self] in self?.turn() }
    }
  }

  private func send(_ transmission: Transmission) {
    guard let channels = channels[transmission.link] else { return }
    let buffer = ByteBuffer(bytes: transmission.bytes)
    switch transmission.destination {
    case .group, .groupFromOwnPort:
      let channel = transmission.destination == .group ? channels.listening : channels.asking
      guard let channel, let group = try? LinkSocket.group(transmission.link) else { return }
      channel.writeAndFlush(AddressedEnvelope(remoteAddress: group, data: buffer), promise: nil)
    case .host(let bytes, let port):
      guard let address = SocketAddress(bytes, port: port, interface: transmission.link.interface) else { return }
      channels.listening.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: buffer), promise: nil)
    }
  }

  private func tell(_ event: Event) {
    switch event {
    case .found(let id, _, _), .lost(let id, _, _), .address(let id, _, _): receivers[id]?(event)
    case .resolved(let id, _): receivers[id]?(event)
    case .conflict(let id): owners[id]?()
    }
  }
}

/// Hands what comes by a socket to the driver. On its loop only.
private final class Receiver: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private weak var driver: Driver?
  private let link: Link
  private let isMulticast: Bool

  init(_ driver: Driver, _ link: Link, isMulticast: Bool) {
    (self.driver, self.link, self.isMulticast) = (driver, link, isMulticast)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    // Some kernels deliver to every socket of the group, whatever the interface.
    if isMulticast, let info = envelope.metadata?.packetInfo, UInt32(clamping: info.interfaceIndex) != link.interface {
      return
    }
    guard let (source, port) = envelope.remoteAddress.bytesAndPort else { return }
    driver?.receive(
      Arrival(
        bytes: Array(envelope.data.readableBytesView), source: source, port: port, link: link, isMulticast: isMulticast)
    )
  }

  func channelReadComplete(context: ChannelHandlerContext) { driver?.turn() }

  func channelInactive(context: ChannelHandlerContext) { driver?.isClosed(context.channel, link) }

  /// A socket's errors concern one packet; others close it.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension SocketAddress {
  /// The 4 or 16 bytes of its IP address, and its port.
  fileprivate var bytesAndPort: ([UInt8], UInt16)? {
    // Where sockaddr_in and sockaddr_in6 have it (ip(7), ipv6(7)); their own fields are a module of NIO's.
    let place: Range<Int>
    switch self {
    case .v4: place = 4..<8
    case .v6: place = 8..<24
    case .unixDomainSocket: return nil
    }
    let bytes = withSockAddr { address, size in Array(UnsafeRawBufferPointer(start: address, count: size)[place]) }
    return (bytes, UInt16(clamping: port ?? 0))
  }

  /// An address with its zone, where it means nothing without.
  fileprivate init?(_ bytes: [UInt8], port: UInt16, interface: UInt32) {
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
