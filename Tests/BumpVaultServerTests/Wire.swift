#if Vault
  import Foundation
  import Lab
  import NIOCore
  import NIOPosix

  /// A connection to a server, on which a test sends what it likes.
  struct Wire: Sendable {
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let received: ObservedValue<Received>

    struct Received: Sendable {
      var text = ""
      var hasEnded = false
    }

    /// Connects, gives a body the connection, and closes it.
    static func open<Value: Sendable>(
      _ port: Int, _ body: @escaping @Sendable (Wire) async throws -> Value
    ) async throws -> Value {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          }
        }
      return try await channel.executeThenClose { inbound, outbound in
        let received = ObservedValue(Received())
        return try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            do {
              for try await piece in inbound { received.change { $0.text += String(buffer: piece) } }
            } catch {}
            received.change { $0.hasEnded = true }
          }
          defer { group.cancelAll() }
          return try await body(Wire(outbound: outbound, received: received))
        }
      }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Waits until the server has sent a text, or has closed the connection.
    @discardableResult func text(_ text: String, within limit: Duration = .hang) async throws -> Received {
      let received = received
      return try await withTimeout(limit, text) {
        try await received.wait { $0.hasEnded || $0.text.contains(text) ? $0 : nil }
      }
    }

    /// Waits until the server has closed the connection, and returns all that it sent.
    func end(within limit: Duration = .hang) async throws -> String {
      let received = received
      return try await withTimeout(limit, "the end of the connection") {
        try await received.wait { $0.hasEnded ? $0.text : nil }
      }
    }
  }

  /// What a server answered.
  struct Reply: Sendable, CustomStringConvertible {
    let status: Int
    let description: String

    init(_ text: String) {
      description = text
      status = Int(text.dropFirst(9).prefix(3)) ?? 0
    }

    /// Whether all of it came.
    var isWhole: Bool {
      guard let length = description.firstMatch(of: /\r\n(?i)content-length: ([0-9]+)\r\n/) else { return false }
      return Int(length.1) == body.utf8.count
    }

    var body: Substring { description.firstRange(of: "\r\n\r\n").map { description[$0.upperBound...] } ?? "" }
    /// The body of a payment's answer without the word whether it was made now.
    var receipt: String { String(body).replacing(/,"made":"[a-z]+"/, with: "") }

    /// A string or number of its JSON object.
    func member(_ name: String) -> String? {
      let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      return object?[name].map { "\($0)" }
    }
  }
#endif
