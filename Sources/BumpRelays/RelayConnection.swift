#if Vault
  import BumpNostr
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import NIOWebSocket

  /// One connection to a relay: carries a session's actions out, and tells it what happens. It lives on one event loop.
  final class RelayConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Control frames of a relay, at most. Each ping is answered.
    private static let controlLimit = 64

    private var session: RelaySession
    private let ended: EventLoopPromise<RelaySession>
    private var channel: (any Channel)?
    private var isUpgraded = false
    private var controlCount = 0

    private init(_ session: RelaySession, _ ended: EventLoopPromise<RelaySession>) {
      (self.session, self.ended) = (session, ended)
    }

    /// Carries a session out, and returns it once it has ended.
    ///
    /// - Parameter hosts: where the relay must be; `nil` for anywhere.
    static func run(
      _ session: RelaySession, with relay: RelayURL, in hosts: PublicHosts?, tls: NIOSSLContext?,
      on loop: any EventLoop, within limit: Duration
    ) async -> RelaySession {
      let ended = loop.makePromise(of: RelaySession.self)
      loop.execute {
        let connection = NIOLoopBound(RelayConnection(session, ended), eventLoop: loop)
        let timer = loop.scheduleTask(in: TimeAmount(limit)) { connection.value.handle(.timeIsUp) }
        ended.futureResult.whenComplete { _ in timer.cancel() }
        // A name may stand for several addresses, and only the channel that is connected first is the relay's.
        ClientBootstrap(group: loop)
          .connectTimeout(TimeAmount(limit))
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              if let hosts { try channel.pipeline.syncOperations.addHandler(PublicHostsOnly(hosts)) }
            }
          }
          .connect(host: relay.host, port: relay.port)
          .flatMapThrowing { try connection.value.prepare($0, for: relay, tls: tls, connection) }
          .whenFailure { _ in connection.value.handle(.disconnected) }
      }
      // The promise is kept by every way that a session ends, and never broken.
      return (try? await ended.futureResult.get()) ?? session
    }

    /// Puts TLS and the upgrade from HTTP to WebSocket on a connected channel.
    private func prepare(
      _ channel: any Channel, for relay: RelayURL, tls: NIOSSLContext?, _ this: NIOLoopBound<RelayConnection>
    ) throws {
      self.channel = channel
      channel.closeFuture.whenComplete { _ in this.value.handle(.disconnected) }
      // A session that ended while the name was looked up has nobody to talk to any more.
      guard session.ending == nil else { return channel.close(promise: nil) }
      let pipeline = channel.pipeline.syncOperations
      if relay.isSecure, let tls {
        // An address has no name for the server to choose a certificate by; it is compared with the certificate's.
        let name = (try? SocketAddress(ipAddress: relay.host, port: 0)) == nil ? relay.host : nil
        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
      }
      let upgrader = NIOTypedWebSocketClientUpgrader(maxFrameSize: RelaySession.messageLimit) { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            // A relay may send a message in pieces; no piece may be so small that they flood.
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 64, maxAccumulatedFrameCount: 64,
              maxAccumulatedFrameSize: RelaySession.messageLimit),
            this.value,
          ])
          return true
        }
      }
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: relay.path, headers: ["Host": relay.authority])
      let upgrade = NIOTypedHTTPClientUpgradeConfiguration(upgradeRequestHead: head, upgraders: [upgrader]) { channel in
        channel.eventLoop.makeSucceededFuture(false)
      }
      try pipeline.configureUpgradableHTTPClientPipeline(configuration: .init(upgradeConfiguration: upgrade))
        .whenComplete { result in
          guard case .success(true) = result else { return channel.close(promise: nil) }
          // Until this turn of the loop has ended, HTTP is still in the way and refuses what is written.
          channel.eventLoop.execute { this.value.upgraded() }
        }
    }

    private func upgraded() {
      isUpgraded = true
      handle(.connected)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      switch frame.opcode {
      case .text, .binary: handle(.received(Array(frame.unmaskedData.readableBytesView)))
      case .ping:
        guard countControl() else { return }
        send(.pong, frame.unmaskedData)
      case .pong: _ = countControl()
      case .connectionClose: handle(.disconnected)
      default: break
      }
    }

    private func countControl() -> Bool {
      controlCount += 1
      if controlCount > Self.controlLimit { handle(.receivedTooLong) }
      return controlCount <= Self.controlLimit
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      switch error {
      case NIOWebSocketError.invalidFrameLength, NIOWebSocketError.fragmentedControlFrame,
        is NIOWebSocketFrameAggregator.Error:
        handle(.receivedTooLong)
      default: handle(.disconnected)
      }
    }

    private func handle(_ input: RelaySession.Input) {
      for action in session.handle(input) {
        switch action {
        case .send(let text): send(.text, ByteBuffer(string: text))
        case .close:
          if isUpgraded { send(.connectionClose, ByteBuffer(bytes: [0x03, 0xE8])) }
          channel?.close(promise: nil)
          ended.succeed(session)
        }
      }
    }

    /// A client masks what it sends (RFC 6455 §5.3).
    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
      channel?.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data), promise: nil)
    }
  }
#endif
