#if Vault
  import BumpNostr
  import NIOConcurrencyHelpers
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket

  /// A relay of the test's on the loopback interface, which behaves as it is told to.
  struct TestRelay: Sendable {
    enum Behaviour: Sendable {
      /// Answers the request with these messages.
      case says([String])
      /// The same, once another relay has been asked.
      case saysBehind(Asked, [String])
      /// The same, and lets those answer that wait for it.
      case saysAndLets(Asked, [String])
      /// The same, in frames of so many bytes, but for the first of a message.
      case saysInPieces([String], of: Int, first: Int? = nil)
      /// Sends a message without end, in frames of 64 KiB.
      case talksWithoutEnd
      /// Repeats a message until the connection ends.
      case floods(String)
      /// Sends pings until the connection ends.
      case pings
      /// Reads the request and is silent.
      case stalls
      /// Accepts connections, and never upgrades them.
      case neverUpgrades
      /// Answers the upgrade with a page.
      case isNoRelay
      /// Accepts the upgrade, and closes.
      case hangsUp
    }

    /// Loops of the relays' own: those of the code under test may be busy with a test.
    private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    let url: RelayURL
    private let listener: any Channel

    static func run<Result>(_ behaviour: Behaviour, _ body: (RelayURL) async throws -> Result) async throws -> Result {
      let relay = try await start(behaviour)
      do {
        let result = try await body(relay.url)
        try await relay.listener.close()
        return result
      } catch {
        try? await relay.listener.close()
        throw error
      }
    }

    private static func start(_ behaviour: Behaviour) async throws -> TestRelay {
      let listener = try await ServerBootstrap(group: loops)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            if case .neverUpgrades = behaviour { return }
            let upgrader = NIOWebSocketServerUpgrader(
              shouldUpgrade: { channel, _ in
                if case .isNoRelay = behaviour { return channel.eventLoop.makeSucceededFuture(nil) }
                return channel.eventLoop.makeSucceededFuture([:])
              },
              upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                  if case .hangsUp = behaviour { channel.close(promise: nil) }
                  try channel.pipeline.syncOperations.addHandler(Behaving(behaviour))
                }
              })
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
              withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
            if case .isNoRelay = behaviour { try channel.pipeline.syncOperations.addHandler(Page()) }
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      guard let port = listener.localAddress?.port, let url = RelayURL("ws://127.0.0.1:\(port)") else {
        preconditionFailure("a listener has a port")
      }
      return TestRelay(url: url, listener: listener)
    }

    /// That a relay was asked.
    struct Asked: Sendable {
      fileprivate let promise = TestRelay.loops.next().makePromise(of: Void.self)
      private let flag = NIOLockedValueBox(false)

      var isSo: Bool { flag.withLockedValue(\.self) }

      func tell() {
        flag.withLockedValue { $0 = true }
        promise.succeed()
      }
    }

    /// Answers a request that was not upgraded.
    private final class Page: ChannelInboundHandler {
      typealias InboundIn = HTTPServerRequestPart
      typealias OutboundOut = HTTPServerResponsePart

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "5"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "hello")))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      }
    }

    private final class Behaving: ChannelInboundHandler {
      typealias InboundIn = WebSocketFrame
      typealias OutboundOut = WebSocketFrame

      private let behaviour: Behaviour
      init(_ behaviour: Behaviour) { self.behaviour = behaviour }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text, String(buffer: frame.unmaskedData).hasPrefix(#"["REQ","#) else { return }
        switch behaviour {
        case .says(let messages):
          for message in messages { send(message, context) }
        case .saysAndLets(let asked, let messages):
          asked.tell()
          for message in messages { send(message, context) }
        case .saysBehind(let asked, let messages):
          let (this, context) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
          asked.promise.futureResult.hop(to: context.value.eventLoop).whenSuccess {
            for message in messages { this.value.send(message, context.value) }
          }
        case .saysInPieces(let messages, let size, let first):
          for message in messages { sendInPieces(Array(message.utf8), of: size, first: first ?? size, context) }
        case .talksWithoutEnd:
          let size = 64 * 1024 - 1
          sendInPieces([UInt8](repeating: 0x20, count: 64 * 1024 * 4), of: size, first: size, context)
        case .floods, .pings: flood(context)
        default: break
        }
      }

      private func send(_ message: String, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: message))
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
      }

      private func sendInPieces(_ bytes: [UInt8], of size: Int, first: Int, _ context: ChannelHandlerContext) {
        var (rest, piece, opcode) = (bytes[...], first, WebSocketOpcode.text)
        repeat {
          let data = ByteBuffer(bytes: rest.prefix(piece))
          rest = rest.dropFirst(piece)
          let frame = WebSocketFrame(fin: rest.isEmpty, opcode: opcode, data: data)
          context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
          (piece, opcode) = (size, .continuation)
        } while !rest.isEmpty
      }

      /// Sends the next one once the last is out, until the other end is gone.
      private func flood(_ context: ChannelHandlerContext) {
        let frame: WebSocketFrame
        if case .floods(let message) = behaviour {
          frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: message))
        } else {
          frame = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
        }
        let (this, context) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        context.value.writeAndFlush(wrapOutboundOut(frame)).whenSuccess {
          context.value.eventLoop.execute { this.value.flood(context.value) }
        }
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
  }
#endif
