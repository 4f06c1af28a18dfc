import BumpDiscovery
import Glibc
import NIOCore
import NIOPosix

/// Asks for the senders on one link by multicast DNS, past any daemon, and hears what comes.
///
/// Its own question comes back: the kernel hands a copy of it to every listener of the machine, past the rules of its
/// firewall for what goes out and what comes in. The answers of others tell what a switch or a Wi-Fi lets through. It
/// needs no address of the group's family: it then hears machines that this one has no way to.
struct MulticastEcho: Sendable {
  enum Outcome: Hashable, Sendable {
    case cameBack
    case lost
    /// It could not even be sent: the error number (errno(3)).
    case failed(Int32)
  }

  /// Another machine that was heard.
  struct Voice: Hashable, Sendable {
    /// Without a zone.
    var address: String
    /// Whether it advertises a sender.
    var isSender: Bool
  }

  struct Hearing: Hashable, Sendable {
    var outcome: Outcome
    var voices: Set<Voice> = []
  }

  let group: MulticastGroup
  let interface: Interface
  let type: ServiceType
  /// The addresses of this machine, whose packets are no other's.
  let own: Set<String>

  private struct Received { var source: SocketAddress, bytes: [UInt8] }

  /// - Parameter duration: how long it listens. Others answer within some 120 ms (RFC 6762 §6), unless they have said the
  ///   same within the last second.
  func run(for duration: Duration = .seconds(2)) async -> Hearing {
    do {
      return try await hear(for: duration)
    } catch let error as IOError {
      return Hearing(outcome: .failed(error.errnoCode))
    } catch {
      return Hearing(outcome: .lost)
    }
  }

  private func hear(for duration: Duration) async throws -> Hearing {
    // The name that is asked for is drawn, so that no other packet is taken for ours.
    let query = Question.query(for: Question.unknown(), Question.labels(of: type), Question.everything)
    let (packets, feed) = AsyncStream.makeStream(of: Received.self, bufferingPolicy: .bufferingNewest(256))
    let channel = try await group.bind { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(
          PacketFeeder {
            feed.yield(Received(source: $0, bytes: $1))
          } ended: {
            feed.finish()
          })
      }
    }
    defer { channel.close(promise: nil) }
    try await join(channel)
    let destination = try SocketAddress(ipAddress: group.rawValue, port: Int(MulticastGroup.port))
    let envelope = AddressedEnvelope(remoteAddress: destination, data: ByteBuffer(bytes: query))
    try await channel.writeAndFlush(envelope)
    let timer = Task {
      try await Task.sleep(for: duration / 2)
      channel.writeAndFlush(envelope, promise: nil)
      try await Task.sleep(for: duration / 2)
      channel.close(promise: nil)
    }
    defer { timer.cancel() }
    var hearing = Hearing(outcome: .lost)
    for await packet in packets {
      if packet.bytes == query { hearing.outcome = .cameBack }
      guard let address = packet.source.ipAddress, address != "0.0.0.0", !own.contains(address) else { continue }
      let isSender = Question.isAnswered(packet.bytes) && Question.mentions(type, packet.bytes)
      hearing.voices.insert(Voice(address: address, isSender: isSender))
    }
    return hearing
  }

  /// Joins the group on the one interface, and hears it on no other.
  private func join(_ channel: any Channel) async throws {
    guard let options = channel as? any SocketOptionProvider,
      let bytes = try SocketAddress(ipAddress: group.rawValue, port: 0).packedIPAddress
    else { throw IOError(errnoCode: ENODEV, reason: "no such interface") }
    func set<Value: Sendable>(_ name: Int32, _ value: Value) async throws {
      let level: NIOBSDSocket.OptionLevel = group == .ipv4 ? .ip : .ipv6
      try await options.unsafeSetSocketOption(level: level, name: .init(rawValue: name), value: value).get()
    }
    switch group {
    case .ipv4:
      // ip_mreqn of ip(7): a group, an address, and the index of the interface, which decides.
      let address = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      try await set(IP_MULTICAST_ALL, Int32(0))
      try await set(IP_MULTICAST_IF, (UInt32(0), UInt32(0), interface.index))
      try await set(IP_MULTICAST_TTL, Int32(255))
      try await set(IP_ADD_MEMBERSHIP, (address, UInt32(0), interface.index))
    case .ipv6:
      // ipv6_mreq of ipv6(7): a group, and the index of the interface.
      let halves = bytes.withUnsafeBytes {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      // IPV6_MULTICAST_ALL of linux/in6.h, which Swift does not see.
      try await set(29, Int32(0))
      try await set(IPV6_MULTICAST_IF, Int32(interface.index))
      try await set(IPV6_MULTICAST_HOPS, Int32(255))
      try await set(IPV6_ADD_MEMBERSHIP, (halves.0, halves.1, interface.index))
    }
  }
}

/// Sixteen hex digits.
func randomName() -> String {
  let digits = String(UInt64.random(in: .min ... .max), radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Hands over the datagrams that come in, and says when there are no more.
final class PacketFeeder: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private let packet: @Sendable (SocketAddress, [UInt8]) -> Void
  private let ended: @Sendable () -> Void

  init(_ packet: @escaping @Sendable (SocketAddress, [UInt8]) -> Void, ended: @escaping @Sendable () -> Void) {
    (self.packet, self.ended) = (packet, ended)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    packet(envelope.remoteAddress, Array(envelope.data.readableBytesView))
  }

  func channelInactive(context: ChannelHandlerContext) { ended() }

  /// One packet that could not be received says nothing of the next.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
