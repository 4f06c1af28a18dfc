import BumpDiscovery
import Glibc
import NIOCore
import NIOPosix

/// Asks for the senders on one link by multicast DNS, without the daemon, and listens for answers.
///
/// Its own question comes back: the kernel delivers a copy to every listener of the machine, after the firewall's rules
/// for outgoing and incoming packets. Answers from other machines show what a switch or Wi-Fi lets through. The
/// interface needs no address of the group's family: without one, it hears machines even though it cannot reach them.
struct MulticastEcho: Sendable {
  enum Outcome: Hashable, Sendable {
    case cameBack
    case lost
    /// Sending failed, with an errno(3).
    case failed(Int32)
  }

  /// Another machine that was heard.
  struct RespondingHost: Hashable, Sendable {
    /// The address without a zone.
    var address: String
    /// Whether the machine advertises a sender.
    var isSender: Bool
  }

  struct EchoResult: Hashable, Sendable {
    var outcome: Outcome
    var respondingHosts: Set<RespondingHost> = []
  }

  let group: MulticastGroup
  let interface: Interface
  let type: ServiceType
  /// The addresses of this machine.
  let own: Set<String>

  private struct Received { var source: SocketAddress, bytes: [UInt8] }

  /// How long to listen for senders. They answer within some 120 ms (RFC 6762 §6), or up to a second later if they have
  /// sent the same records within the last second.
  static let duration: Duration = .seconds(2)
  /// How long to listen for receivers. They do not answer. They ask, after one, two and four seconds (RFC 6762 §5.2).
  static let receiverDuration: Duration = .seconds(5)

  /// - Parameter duration: how long to listen.
  func run(for duration: Duration) async -> EchoResult {
    do {
      return try await hear(for: duration)
    } catch let error as IOError {
      return EchoResult(outcome: .failed(error.errnoCode))
    } catch {
      return EchoResult(outcome: .lost)
    }
  }

  private func hear(for duration: Duration) async throws -> EchoResult {
    // The question has a random name, so that no other packet is mistaken for it.
    let query = Question.query(for: Question.unknown(), Question.labels(of: type), Question.everything)
    let (packets, feed) = AsyncStream.makeStream(of: Received.self, bufferingPolicy: .bufferingNewest(256))
    let channel = try await group.bind(on: interface.index) { channel in
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
    var echoResult = EchoResult(outcome: .lost)
    for await packet in packets {
      if packet.bytes == query { echoResult.outcome = .cameBack }
      guard let address = packet.source.ipAddress, address != "0.0.0.0", !own.contains(address) else { continue }
      let isSender = Question.isAnswered(packet.bytes) && Question.mentions(type, packet.bytes)
      echoResult.respondingHosts.insert(RespondingHost(address: address, isSender: isSender))
    }
    return echoResult
  }

  /// Joins the group on this interface only.
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
      // ip_mreqn of ip(7): a group, a source address, and the index of the interface.
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
      // IPV6_MULTICAST_ALL of linux/in6.h, which Swift cannot import.
      try await set(29, Int32(0))
      try await set(IPV6_MULTICAST_IF, Int32(interface.index))
      try await set(IPV6_MULTICAST_HOPS, Int32(255))
      try await set(IPV6_ADD_MEMBERSHIP, (halves.0, halves.1, interface.index))
    }
  }
}

/// Returns sixteen random hex digits.
func randomName() -> String {
  let digits = String(UInt64.random(in: .min ... .max), radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Passes on received datagrams, and calls back when the channel closes.
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

  /// Ignores an error: it concerns one packet only.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
