#if Vault
  import BumpNostr
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import NIOWebSocket

  /// One connection to a relay. Carries out a session's actions, and reports events to the session. It runs on one
  /// event loop.
  final class RelayConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The greatest number of control frames from a relay. Each ping is answered.
    private static let controlLimit = 64

    private var session: RelaySession
    private let ended: EventLoopPromise<RelaySession>
    private var channel: (any Channel)?
    private var isUpgraded = false
    private var controlCount = 0

    private init(_ session: RelaySession, _ ended: EventLoopPromise<RelaySession>) {
      (self.session, self.ended) = (session, ended)
    }

    /// Runs a session, and returns it when it has ended.
    ///
    /// - Parameter hosts: the hosts among which the relay must be; `nil` for any host.
    static func run(
      _ session: RelaySession, with relay: RelayURL, in hosts: PublicHosts?, tls: NIOSSLContext?,
      on loop: any EventLoop, within limit: Duration
    ) async -> RelaySession {
      let ended = loop.makePromise(of: RelaySession.self)
      loop.execute {
        let connection = NIOLoopBound(RelayConnection(session, ended), eventLoop: loop)
        let timer = loop.scheduleTask(in: TimeAmount(limit)) { connection.value.handle(.timeIsUp) }
        ended.futureResult.whenComplete { _ in timer.cancel() }
        // A name may have several addresses. Only the channel that is connected first is the relay's.
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
      // However the session ends, the promise succeeds. It never fails.
      return (try? await ended.futureResult.get()) ?? session
    }

    /// Adds TLS and the upgrade from HTTP to WebSocket to a connected channel.
    private func prepare(
      _ channel: any Channel, for relay: RelayURL, tls: NIOSSLContext?, _ this: NIOLoopBound<RelayConnection>
    ) throws {
      self.channel = channel
      channel.closeFuture.whenComplete { _ in this.value.handle(.disconnected) }
      // If the session ended during the look-up of the name, nothing uses the channel any more.
      guard session.ending == nil else { return channel.close(promise: nil) }
      let pipeline = channel.pipeline.syncOperations
      if relay.isSecure, let tls {
        // An IP address is not sent as a server name, by which the server would choose a certificate. TLS compares the
        // address with the certificate's.
        let name = (try? SocketAddress(ipAddress: relay.host, port: 0)) == nil ? relay.host : nil
        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
      }
      let upgrader = NIOTypedWebSocketClientUpgrader(maxFrameSize: RelaySession.messageLimit) { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            // A relay may send a message in fragments of any size (RFC 6455 §5.4). Their number is limited, and that of
            // the messages by the session, so that small ones cannot flood.
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64,
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
          // Until this turn of the loop ends, the HTTP handlers are still in the pipeline, and reject writes.
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
