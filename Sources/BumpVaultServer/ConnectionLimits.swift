#if Vault
  import NIOCore
  import NIOHTTPTypes

  /// Closes connections whose requests are not received in time. A byte now and then does not extend a limit.
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

    private var timer: Scheduled<Void>?
    private var unanswered = 0

    private func limit(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
      timer?.cancel()
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: amount) { context.close(promise: nil) }
    }

    private func unlimited() {
      timer?.cancel()
      timer = nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
      if context.channel.isActive { limit(Self.first, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
      limit(Self.first, context)
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      unlimited()
      context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { unlimited() }

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
