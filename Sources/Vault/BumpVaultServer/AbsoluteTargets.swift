#if Vault
  import NIOCore
  import NIOHTTP1
  import NIOHTTPTypes
  import NIOHTTPTypesHTTP1

  /// Replaces the header `Host` by the host of the request's target where that is a whole URL (RFC 9112 §3.2.2).
  ///
  /// The codec behind this handler keeps only the path of such a target, so a host that is refused could come with a
  /// header that is not.
  final class AbsoluteTargets: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data), let host = Self.host(of: head.uri),
        head.headers[Self.header].count == 1
      else { return context.fireChannelRead(data) }
      head.headers.replaceOrAdd(name: Self.header, value: host)
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static let header = "Host"

    /// Returns the host and the port of a target that is a URL; `nil` for any other target.
    private static func host(of target: String) -> String? {
      guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
      return String(target[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    /// Adds `AbsoluteTargets` before the codec, which is in the pipeline already, and passes everything on.
    final class Adding: ChannelInboundHandler, RemovableChannelHandler {
      typealias InboundIn = HTTPRequestPart
      typealias InboundOut = HTTPRequestPart

      func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
          let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
          try pipeline.addHandler(AbsoluteTargets(), position: .before(codec))
        } catch {
          context.close(promise: nil)
        }
      }
    }
  }
#endif
