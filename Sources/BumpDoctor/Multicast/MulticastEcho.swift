import Glibc
import NIOCore
import NIOPosix

/// Sends a query of multicast DNS out by one interface, and waits for it to come back in by the same: the kernel hands
/// a copy of it to every listener of the machine, past the rules of its firewall for what goes out and what comes in.
/// What a switch or a Wi-Fi does with it is not seen.
struct MulticastEcho: Sendable {
  enum Outcome: Hashable, Sendable {
    case cameBack
    case lost
    /// It could not even be sent, in words.
    case failed(String)
  }

  let group: MulticastGroup
  let interface: Interface

  func run(within limit: Duration = .seconds(2)) async -> Outcome {
    await within(limit) {
      do {
        return try await attempt()
      } catch let error as IOError {
        return .failed(words(errno: error.errnoCode))
      } catch is CancellationError {
        return .lost
      } catch {
        return .failed("\(type(of: error))")
      }
    } ?? .lost
  }

  private func attempt() async throws -> Outcome {
    // The name that is asked for is drawn, so that no other packet is taken for ours.
    let query = Self.query(for: randomName())
    let (packets, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(256))
    let channel = try await group.bind { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(PacketFeeder(feed)) }
    }
    defer { channel.close(promise: nil) }
    try await join(channel)
    let group = try SocketAddress(ipAddress: group.rawValue, port: Int(MulticastGroup.port))
    try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: group, data: ByteBuffer(bytes: query)))
    for await packet in packets where packet == query { return .cameBack }
    return .lost
  }

  private func join(_ channel: any Channel) async throws {
    guard let device = try System.enumerateDevices().first(where: { isOurs($0) }),
      let options = channel as? any SocketOptionProvider, let groups = channel as? any MulticastChannel
    else { throw IOError(errnoCode: ENODEV, reason: "no such interface") }
    switch group {
    case .ipv4:
      // ip_mreqn of ip(7): a group, an address, and the index of the interface, which decides.
      let request = (UInt32(0), UInt32(0), interface.index)
      try await options.unsafeSetSocketOption(level: .ip, name: .ip_multicast_if, value: request).get()
    case .ipv6:
      try await options.setIPv6MulticastIF(interface.index).get()
    }
    try await groups.joinGroup(SocketAddress(ipAddress: group.rawValue, port: 0), device: device).get()
  }

  private func isOurs(_ device: NIONetworkDevice) -> Bool {
    guard device.name == interface.name, let address = device.address else { return false }
    switch (group, address) {
    case (.ipv4, .v4), (.ipv6, .v6): return true
    default: return false
    }
  }

  /// A question for a pointer (RFC 6762 §18, RFC 1035 §4.1) that nobody answers.
  static func query(for name: String) -> [UInt8] {
    let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let labels = [name, "_bump-doctor", "_tcp", "local"].flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    let (pointer, internet): ([UInt8], [UInt8]) = ([0, 12], [0, 1])
    return header + labels + [0] + pointer + internet
  }
}

/// Sixteen hex digits.
func randomName() -> String {
  let digits = String(UInt64.random(in: .min ... .max), radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

private final class PacketFeeder: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let feed: AsyncStream<[UInt8]>.Continuation

  init(_ feed: AsyncStream<[UInt8]>.Continuation) {
    self.feed = feed
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    feed.yield(Array(unwrapInboundIn(data).data.readableBytesView))
  }

  func channelInactive(context: ChannelHandlerContext) { feed.finish() }

  /// One packet that could not be received says nothing of the next.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
