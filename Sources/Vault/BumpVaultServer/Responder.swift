#if Vault
  import BumpVaultAPI
  import BumpVaultHTTP
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import ServiceLifecycle

  /// Passes requests from Hummingbird to the vault, and its responses back.
  struct Responder: HTTPResponder {
    struct Context: InitializableFromSource {
      let channel: any Channel
      init(source: ApplicationRequestContextSource) { channel = source.channel }
    }

    let service: VaultService
    let isTLS: Bool
    let logger: Logger

    /// The time limit for receiving a body.
    private static let bodyLimit = Duration.seconds(10)
    /// How long a client may take to read an answer, if the connection is then closed with a part of the request
    /// unread.
    private static let lingering = TimeAmount.seconds(2)

    func respond(to request: Request, context: Context) async throws -> Response {
      let begin = ContinuousClock.now
      guard let peer = context.channel.remoteAddress?.ipAddress.flatMap({ ClientAddress($0) }) else {
        return Response(status: .badRequest)
      }
      let asked = VaultRequest(
        request.method.rawValue, request.head.path ?? "", headers: Self.headers(request.head), from: peer,
        at: context.channel.localAddress?.ipAddress.flatMap { ClientAddress($0) }, isTLS: isTLS,
        body: { () async throws(BodyError) in try await Self.body(of: request) })
      // A task keeps the memory of the deepest calls that it ever made. This connection's task may wait for events for
      // a day, so the answer has a task of its own.
      let response = await Task { await service.answer(asked) }.value
      log(request, response, begin)
      return answer(response, request, context.channel)
    }

    /// The first `Host` is not among the fields of the head. Further ones are.
    private static func headers(_ head: HTTPRequest) -> [VaultRequest.Header] {
      (head.authority.map { [.init("Host", $0)] } ?? []) + head.headerFields.map { .init($0.name.rawName, $0.value) }
    }

    /// Reads a body. Fails if it is too large or too slow.
    private static func body(of request: Request) async throws(BodyError) -> [UInt8] {
      let most = VaultRequest.maximumBody
      if let length = request.headers[.contentLength], Int(length) ?? .max > most { throw .tooLarge }
      let result = await withTaskGroup(of: Result<[UInt8], BodyError>?.self) { group in
        group.addTask {
          do {
            var bytes: [UInt8] = []
            for try await piece in request.body {
              bytes += piece.readableBytesView
              guard bytes.count <= most else { return .failure(.tooLarge) }
            }
            return .success(bytes)
          } catch {
            return .failure(.incomplete)
          }
        }
        group.addTask {
          guard (try? await Task.sleep(for: bodyLimit)) != nil else { return nil }
          return .failure(.timedOut)
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        return first ?? .failure(.timedOut)
      }
      return try result.get()
    }

    private func answer(_ response: VaultResponse, _ request: Request, _ channel: any Channel) -> Response {
      var fields = HTTPFields()
      for header in response.headers {
        if let name = HTTPField.Name(header.name) { fields.append(HTTPField(name: name, value: header.value)) }
      }
      let status = HTTPResponse.Status(code: response.status)
      switch response.body {
      case .events(let events):
        return Response(
          status: status, headers: fields,
          body: ResponseBody { writer in
            // At the server's end, streams end without waiting for their claims.
            try await withGracefulShutdownHandler {
              try await events.run { try await writer.write(ByteBuffer(bytes: $0)) }
            } onGracefulShutdown: {
              service.watchers.end()
            }
            try await writer.finish(nil)
          })
      case .bytes(let bytes) where response.closesConnection:
        fields[.connection] = "close"
        fields[.contentLength] = fields[.contentLength] ?? String(bytes.count)
        return Response(
          status: status, headers: fields,
          body: ResponseBody { writer in
            if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            try await writer.finish(nil)
            // Meanwhile the rest of the request is read and dropped, so that a reset does not destroy the answer.
            channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
          })
      case .bytes(let bytes):
        if bytes.isEmpty { return Response(status: status, headers: fields) }
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
      }
    }

    /// Logs a request and its answer, without ids, addresses, headers or bodies.
    private func log(_ request: Request, _ response: VaultResponse, _ begin: ContinuousClock.Instant) {
      let known: [HTTPRequest.Method] = [.get, .head, .post, .options, .put, .delete, .patch]
      let time = begin.duration(to: .now)
      var metadata: Logger.Metadata = [
        "method": "\(known.contains(request.method) ? request.method.rawValue : "other")",
        "route": "\(response.route ?? "none")", "status": "\(response.status)",
        "ms": "\(time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)",
      ]
      if let problem = response.problem { metadata["problem"] = "\(problem)" }
      logger.log(level: response.status >= 500 ? .error : .info, "answered", metadata: metadata)
    }
  }
#endif
