import Crypto
import Foundation
import NIOCore
import NIOPosix

/// An echo of frames on NIO alone, of the length that sessions send, plain or with ChaChaPoly on each: what a session's
/// throughput is compared with.
enum Echo {
  static func serve(port: Int, isSealed: Bool) throws {
    let channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { $0.pipeline.addHandler(Frames(isSealed: isSealed, isClient: false)) }
      .bind(host: "0.0.0.0", port: port).wait()
    try channel.closeFuture.wait()
  }

  /// A connection to such a server.
  final class Client {
    private let frames: Frames
    private let channel: any Channel

    init(_ host: String, port: Int, isSealed: Bool) throws {
      let frames = Frames(isSealed: isSealed, isClient: true)
      self.frames = frames
      channel = try ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelInitializer { $0.pipeline.addHandler(frames) }
        .connect(host: host, port: port).wait()
    }

    /// Sends so many frames, a window of them at once, and waits until all are back. Returns MB/s, counted once for both
    /// ways, as for the sessions.
    func run(_ count: Int) throws -> Double {
      let begun = ContinuousClock.now
      let done = channel.eventLoop.makePromise(of: Void.self)
      channel.eventLoop.execute { [frames] in frames.begin(count, done) }
      try done.futureResult.wait()
      return Double(count * Main.frame) / begun.seconds / 1e6
    }
  }

  /// Sends each frame back; a client sends its own instead. On its event loop alone.
  private final class Frames: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let isSealed: Bool
    private let isClient: Bool
    private let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
    private var context: ChannelHandlerContext?
    private var unsent = 0
    private var unreceived = 0
    private var done: EventLoopPromise<Void>?
    private var buffer = ByteBuffer()

    init(isSealed: Bool, isClient: Bool) { (self.isSealed, self.isClient) = (isSealed, isClient) }

    private var length: Int { Main.frame + (isSealed ? 28 : 0) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func begin(_ count: Int, _ done: EventLoopPromise<Void>) {
      guard let context else { return done.fail(ChannelError.ioOnClosedChannel) }
      (unsent, unreceived, self.done) = (count, count, done)
      for _ in 0..<Main.window { sendOwn(context) }
      context.flush()
    }

    private func sendOwn(_ context: ChannelHandlerContext) {
      guard unsent > 0 else { return }
      unsent -= 1
      write([UInt8](repeating: 0, count: Main.frame), context)
    }

    private func write(_ frame: [UInt8], _ context: ChannelHandlerContext) {
      guard isSealed else { return context.write(wrapOutboundOut(ByteBuffer(bytes: frame)), promise: nil) }
      guard let box = try? ChaChaPoly.seal(frame, using: key) else { return context.close(promise: nil) }
      context.write(wrapOutboundOut(ByteBuffer(bytes: box.combined)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var part = unwrapInboundIn(data)
      buffer.writeBuffer(&part)
      while var frame = buffer.readBytes(length: length) {
        if isSealed {
          guard let box = try? ChaChaPoly.SealedBox(combined: frame), let opened = try? ChaChaPoly.open(box, using: key)
          else { return context.close(promise: nil) }
          frame = Array(opened)
        }
        if isClient {
          unreceived -= 1
          sendOwn(context)
        } else {
          write(frame, context)
        }
      }
      buffer.discardReadBytes()
      context.flush()
      guard unreceived == 0, let done else { return }
      self.done = nil
      done.succeed()
    }

    func channelInactive(context: ChannelHandlerContext) { done?.fail(ChannelError.ioOnClosedChannel) }
  }
}
