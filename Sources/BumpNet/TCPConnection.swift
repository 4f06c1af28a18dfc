import BumpDiscovery
import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// A listening socket.
struct TCPListener: Listener {
  /// Connections that wait to be handed over. The handing over takes microseconds: past this it is a flood.
  static let maximumQueue = 64

  let channel: any Channel
  let connections: AsyncStream<TCPConnection>
  let waiting: WaitingChannels

  var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

  /// Connections that are being dealt with at once: those that a bump holds, and some that it is turning away.
  static let maximumAccepted = 48

  func accept(_ body: @escaping @Sendable (any Connection) async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      var accepted = 0
      for await connection in connections {
        if accepted >= Self.maximumAccepted { await group.next() } else { accepted += 1 }
        waiting.remove(connection.channel)
        group.addTask { await body(connection) }
      }
      // Nobody takes those any more that have not been handed over.
      waiting.close()
    }
  }

  func close() { channel.close(promise: nil) }
}

/// Connections that wait to be handed over. Those that never are would stay open, and their other ends wait.
final class WaitingChannels: Sendable {
  /// `nil` once they are closed, and any that comes later is.
  private let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]?>([:])

  /// - Returns: whether it may wait.
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

/// A connected socket, read piece by piece: the next is asked for when the one before has been dealt with.
///
/// Not a `NIOAsyncChannel`: one that is dropped unread, as a cancelled connect drops it, is a programmer's error there.
struct TCPConnection: Connection {
  /// Our longest frame is shorter, and a stranger's megabytes are not wanted.
  static let allocator = FixedSizeRecvByteBufferAllocator(capacity: 2048)

  let peer: String
  let address: SocketAddress?
  let localAddress: SocketAddress?
  let channel: any Channel
  private let pieces: AsyncStream<[UInt8]>

  /// To be called on the channel's event loop, before anything can be read: auto-read must be off.
  init(_ channel: any Channel) throws {
    let (pieces, feed) = AsyncStream.makeStream(of: [UInt8].self)
    try channel.pipeline.syncOperations.addHandler(Feeder(feed))
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
    // Ended by the other end, by `close`, or by the task's cancellation; only the last leaves it open.
    channel.close(promise: nil)
    try? await channel.closeFuture.get()
  }

  func send(_ bytes: [UInt8]) {
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  /// TCP_USER_TIMEOUT of tcp(7).
  func giveUp(after limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let milliseconds = Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))
    channel.setOption(option, value: milliseconds).whenFailure { _ in channel.close(promise: nil) }
  }

  func close() { channel.close(promise: nil) }

  /// NIO forgets what waits to be written when it closes, so that must be behind it.
  func finish() {
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
  }
}

/// Hands what was read to a stream.
private final class Feeder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let feed: AsyncStream<[UInt8]>.Continuation

  init(_ feed: AsyncStream<[UInt8]>.Continuation) {
    self.feed = feed
  }

  /// The first read is asked for here: before the channel is active it would be forgotten.
  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { context.read() }
  }

  func channelActive(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    feed.yield(Array(unwrapInboundIn(data).readableBytesView))
  }

  func channelInactive(context: ChannelHandlerContext) { feed.finish() }

  /// A connection that breaks ends like one that is closed: the session knows what that means.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
