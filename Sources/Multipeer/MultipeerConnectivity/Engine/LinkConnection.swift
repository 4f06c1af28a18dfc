import BumpDiscovery
package import BumpMultipeer
import Foundation
package import NIOCore

/// One TCP connection, on its event loop. Delivers its bytes and its end to one receiver, in order.
package final class LinkConnection: PeerConnection, ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
  package typealias InboundIn = ByteBuffer
  package typealias OutboundIn = ByteBuffer

  /// How many bytes may be unsent before `hasRoom` is false. Then the session waits for the network.
  private static let window = 512 * 1024
  /// How many bytes may be unsent before the connection is closed. A session sends some frames without asking for room,
  /// such as introductions: a peer that causes them and does not read must not fill this end's memory.
  private static let most = 4 * 1024 * 1024

  /// How long the last bytes may take once the connection is closed here.
  private let lastWrites: Duration
  private(set) var channel: (any Channel)?
  /// The receiver of events. Set and called only on the event loop.
  private var sink: (@Sendable (ConnectionEvent) -> Void)?
  private var early: [ConnectionEvent] = []
  private var isPaused = false
  private var wantsRead = false
  private let lock = NSLock()
  private var unsent = 0
  /// Records that the event loop has not taken yet.
  private var outgoing: [[UInt8]] = []

  init(lastWrites: Duration = .seconds(10)) { self.lastWrites = lastWrites }

  /// Whether there is room to send.
  package var hasRoom: Bool { lock.withLock { unsent < Self.window } }

  package func execute(_ body: @escaping @Sendable () -> Void) { channel?.eventLoop.execute(body) }

  package func schedule(in delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    channel?.eventLoop.later(delay, body) ?? InertTimer()
  }

  /// The timer of a connection without an event loop, which was never connected. It never fires.
  private struct InertTimer: Scheduling {
    func cancel() {}
  }

  package var route: Route? {
    guard
      let local = channel?.localAddress.flatMap(HostAddress.init),
      let remote = channel?.remoteAddress.flatMap(HostAddress.init)
    else { return nil }
    return Route(local: local, remote: remote)
  }

  /// Sets the receiver of all events, including those that have come before. Call it on the event loop.
  package func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void) {
    self.sink = sink
    let early = self.early
    self.early = []
    for event in early { sink(event) }
  }

  /// Sends bytes, in the order of the calls. They are always queued: a write made on the event loop itself would
  /// overtake the writes of other threads, which have not reached the loop yet.
  package func send(_ bytes: [UInt8]) {
    guard let channel else { return }
    let (isFirst, isTooMuch) = lock.withLock {
      unsent += bytes.count
      defer { outgoing.append(bytes) }
      return (outgoing.isEmpty, unsent > Self.most)
    }
    if isTooMuch { return channel.close(promise: nil) }
    if isFirst { channel.eventLoop.execute { self.write(on: channel) } }
  }

  /// Writes all queued records at once: a system call for each would take longer than the record.
  private func write(on channel: any Channel) {
    let records = lock.withLock {
      defer { outgoing = [] }
      return outgoing
    }
    let count = records.reduce(0) { $0 + $1.count }
    var buffer = channel.allocator.buffer(capacity: count)
    for record in records { buffer.writeBytes(record) }
    channel.writeAndFlush(buffer).whenComplete { _ in
      let hasRoomAgain = self.lock.withLock {
        let before = self.unsent
        self.unsent -= count
        return before >= Self.window && self.unsent < Self.window
      }
      if hasRoomAgain { self.tell(.writable) }
    }
  }

  /// Closes the connection once all is sent, or after ten seconds: the other end may have stopped reading.
  package func close() {
    guard let channel else { return }
    channel.eventLoop.execute {
      self.write(on: channel)
      // Writes complete in order, so an empty one completes after all others.
      channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).whenComplete { _ in channel.close(promise: nil) }
      let timer = channel.eventLoop.later(self.lastWrites) { channel.close(promise: nil) }
      channel.closeFuture.whenComplete { _ in timer.cancel() }
    }
  }

  /// Stops reading until `resume`.
  package func pause() { channel?.eventLoop.execute { self.isPaused = true } }

  package func resume() {
    channel?.eventLoop.execute {
      self.isPaused = false
      guard self.wantsRead else { return }
      self.wantsRead = false
      self.channel?.read()
    }
  }

  private func tell(_ event: ConnectionEvent) {
    if let sink { sink(event) } else { early.append(event) }
  }

  package func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

  package func read(context: ChannelHandlerContext) {
    if isPaused { wantsRead = true } else { context.read() }
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    tell(.received(Array(unwrapInboundIn(data).readableBytesView)))
  }

  package func channelInactive(context: ChannelHandlerContext) {
    tell(.closed)
    sink = nil
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension HostAddress {
  /// Makes the address of a socket. An IPv4 address inside an IPv6 one (RFC 4291 §2.5.5.2) becomes an IPv4 address.
  init?(_ address: SocketAddress) {
    guard let port = address.port.flatMap(UInt16.init(exactly:)), let bytes = address.packedIPAddress else {
      return nil
    }
    let isMapped = bytes.count == 16 && bytes.prefix(12) == [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    self.init(address: isMapped ? Array(bytes.suffix(4)) : bytes, port: port)
  }

  /// Returns the socket addresses that a member may mean by this address, if it is on a network of this host or is this
  /// host itself. A link-local address may be on any of the interfaces.
  func places(on networks: LocalNetworks) -> [SocketAddress] {
    guard let socket = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address), port: Int(port)) else {
      return []
    }
    if isLoopback { return [socket] }
    let interfaces = Set((networks.entries ?? []).map(\.interface)).sorted()
    guard LocalNetworks.isLinkLocal(address), let text = socket.ipAddress else {
      return interfaces.contains { networks.likelihood(of: socket, seenOn: $0) != nil } ? [socket] : []
    }
    return interfaces.compactMap { interface in
      guard
        let place = try? SocketAddress(ipAddress: "\(text)%\(interface)", port: Int(port)),
        networks.likelihood(of: place, seenOn: interface) != nil
      else { return nil }
      return place
    }
  }
}
