import BumpDiscovery
import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// A listening socket.
struct TCPListener: Listener {
  /// The limit on connections that wait to be passed to `accept`. Passing one takes microseconds, so more than these
  /// are a flood.
  static let maximumQueue = 64

  let channel: any Channel
  let connections: AsyncStream<TCPConnection>
  let waiting: WaitingChannels

  var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

  /// The limit on connections that `accept` serves at once: those that a bump keeps, and some that it is turning away.
  static let maximumAccepted = 48

  func accept(_ body: @escaping @Sendable (any Connection) async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      var accepted = 0
      for await connection in connections {
        if accepted >= Self.maximumAccepted { await group.next() } else { accepted += 1 }
        waiting.remove(connection.channel)
        group.addTask { await body(connection) }
      }
      // Close the connections that were not passed on.
      waiting.close()
    }
  }

  func close() { channel.close(promise: nil) }
}

/// The connections that wait to be passed to `accept`. If they were not closed at the end, their other ends would wait.
final class WaitingChannels: Sendable {
  /// `nil` once closed. A connection that is added later is closed at once.
  private let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]?>([:])

  /// - Returns: false if the queue is closed.
  func add(_ channel: any Channel) -> Bool {
    channels.withLockedValue { channels in
      channels?[ObjectIdentifier(channel)] = channel
      return channels != nil
    }
  }

  func remove(_ channel: any Channel) {
    channels.withLockedValue { $0?[ObjectIdentifier(channel)] = nil }
  }

  func close() {
    let waiting = channels.withLockedValue { channels in
      defer { channels = nil }
      return channels.map { Array($0.values) } ?? []
    }
    for channel in waiting { channel.close(promise: nil) }
  }
}

/// A connected socket. The next bytes are read when the ones before have been handled.
///
/// Not a `NIOAsyncChannel`: one that is dropped unread, as a cancelled connection attempt drops it, traps.
struct TCPConnection: Connection {
  /// Reads at most 2048 bytes at a time: the longest frame is shorter, and a peer must not make us buffer megabytes.
  static let allocator = FixedSizeRecvByteBufferAllocator(capacity: 2048)

  let peer: String
  let address: SocketAddress?
  let localAddress: SocketAddress?
  let channel: any Channel
  private let pieces: AsyncStream<[UInt8]>

  /// Must be called on the channel's event loop, with auto-read off, before anything can be read.
  init(_ channel: any Channel) throws {
    let (pieces, feed) = AsyncStream.makeStream(of: [UInt8].self)
    try channel.pipeline.syncOperations.addHandler(InboundHandler(feed))
    self.channel = channel
    self.pieces = pieces
    address = channel.remoteAddress
    localAddress = channel.localAddress
    peer = address?.text ?? "?"
  }

  func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async {
    for await piece in pieces {
      await body(piece)
      channel.read()
    }
    // The stream was ended by the other end, by `close`, or by cancellation. Only cancellation leaves the channel open.
    channel.close(promise: nil)
    try? await channel.closeFuture.get()
  }

  func send(_ bytes: [UInt8]) {
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  /// Sets TCP_USER_TIMEOUT of tcp(7).
  func giveUp(after limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let milliseconds = Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))
    channel.setOption(option, value: milliseconds).whenFailure { _ in channel.close(promise: nil) }
  }

  func close() { channel.close(promise: nil) }

  /// Closes once the write is flushed: when it closes, NIO discards what waits to be written.
  func finish() {
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
  }
}

/// Passes what is read to a stream.
private final class InboundHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let feed: AsyncStream<[UInt8]>.Continuation

  init(_ feed: AsyncStream<[UInt8]>.Continuation) {
    self.feed = feed
  }

  /// Requests the first read. Before the channel is active, the request would be lost.
  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { context.read() }
  }

  func channelActive(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    feed.yield(Array(unwrapInboundIn(data).readableBytesView))
  }

  func channelInactive(context: ChannelHandlerContext) { feed.finish() }

  /// A connection that breaks ends like one that is closed: the session decides what that means.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
