#if Vault
  import BumpVaultHTTP
  import NIOCore
  import NIOHTTPTypes

  /// Closes connections whose requests are not received in time, and those beyond their network's share. A byte now and
  /// then does not extend a limit.
  final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The limit from the connection to the end of the first request's head.
    private static let first = TimeAmount.seconds(10)
    /// The limit from a head to the end of its body. The limit of the body's reader is shorter, so that it can still
    /// answer.
    private static let body = TimeAmount.seconds(15)
    /// The limit from an answer to the end of the next head.
    private static let next = TimeAmount.seconds(60)

    private let share: ConnectionShare
    /// The other end, if it is counted.
    private var peer: ClientAddress?
    private var timer: Scheduled<Void>?
    private var unanswered = 0

    init(_ share: ConnectionShare) { self.share = share }

    private func begin(_ context: ChannelHandlerContext) {
      guard timer == nil else { return }
      limit(Self.first, context)
      guard let address = context.remoteAddress?.ipAddress.flatMap({ ClientAddress($0) }) else { return }
      guard share.enter(address) else { return context.close(promise: nil) }
      peer = address
    }

    private func limit(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
      timer?.cancel()
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: amount) { context.close(promise: nil) }
    }

    private func unlimited() {
      timer?.cancel()
      timer = nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
      if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
      begin(context)
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
      unlimited()
      if let peer { share.leave(peer) }
      peer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head:
        unanswered += 1
        limit(Self.body, context)
      case .body: break
      case .end: unlimited()
      }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) {
        unanswered -= 1
        if unanswered == 0 { limit(Self.next, context) }
      }
      context.write(data, promise: promise)
    }
  }
#endif
