import BumpDiscovery
import NIOCore
import NIOPosix

/// Asks one machine for its senders by unicast (RFC 6762 §5.5, §6.7), which works where multicast is dropped.
struct DirectQuestion: Sendable {
  let type: ServiceType

  /// Sends the question, and waits for the answer.
  ///
  /// - Parameter address: the machine's address; its port is ignored.
  /// - Returns: the answer; `nil` if none is received in time.
  func ask(_ address: SocketAddress, within limit: Duration = .seconds(1)) async -> [UInt8]? {
    await withTimeout(limit) { try? await answer(of: address) } ?? nil
  }

  private func answer(of address: SocketAddress) async throws -> [UInt8]? {
    var address = address
    address.port = Int(MulticastGroup.port)
    let isIPv6 = if case .v6 = address { true } else { false }
    let (packets, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(8))
    let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            PacketFeeder {
              feed.yield($1)
            } ended: {
              feed.finish()
            })
        }
      }
      .bind(to: try SocketAddress(ipAddress: isIPv6 ? "::" : "0.0.0.0", port: 0)).get()
    defer { channel.close(promise: nil) }
    let query = Question.query(for: Question.labels(of: type))
    try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: query)))
    for await packet in packets where Question.isAnswered(packet) { return packet }
    return nil
  }
}
