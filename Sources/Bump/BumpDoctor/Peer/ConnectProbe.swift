import BumpKit
import BumpSystem
import Glibc
import NIOCore

/// Connects only to find out why a connection fails: the kernel reports which machine rejected it, and how (IP_RECVERR
/// of ip(7)).
enum ConnectProbe {
  enum Outcome: Hashable, Sendable {
    /// The port accepts connections.
    case taken
    /// A TCP reset from the other machine's kernel, or from a firewall on its behalf.
    case reset
    /// A firewall's ICMP rejection, from this address.
    case rejected(by: String)
    /// A firewall of this machine rejected or dropped the outgoing packets.
    case stoppedHere
    /// No machine on the link has the address: ARP or neighbour discovery failed.
    case nobody
    /// The kernel has no route; its error in words.
    case unreachable(String)
    case noAnswer
  }

  /// - Parameters:
  ///   - interface: the interface to connect by; `nil` for the kernel's choice.
  ///   - limit: when to give up. The kernel looks for a machine on the link for 3 s.
  static func run(_ address: SocketAddress, by interface: NetworkInterface?, within limit: Duration = .seconds(4)) async
    -> Outcome
  {
    await blocking { knock(address, interface, limit) } ?? .noAnswer
  }

  private static func knock(_ address: SocketAddress, _ interface: NetworkInterface?, _ limit: Duration) -> Outcome {
    let isIPv6 = if case .v6 = address { true } else { false }
    let descriptor = socket(
      isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return .unreachable(words(errno: errno)) }
    defer { close(descriptor) }
    var yes: Int32 = 1
    let (level, option) = isIPv6 ? (Int32(IPPROTO_IPV6), IPV6_RECVERR) : (Int32(IPPROTO_IP), IP_RECVERR)
    setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    if let interface,
      setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, interface.name, socklen_t(interface.name.utf8.count)) != 0
    {
      return .unreachable(words(errno: errno))
    }
    let failed = failedTransmissions()
    if address.withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 { return .taken }
    guard errno == EINPROGRESS else { return outcome(errno, descriptor) }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, Int32(limit / .milliseconds(1))) > 0 else {
      return failedTransmissions() > failed ? .stoppedHere : .noAnswer
    }
    var (error, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
    return outcome(error, descriptor)
  }

  private static func outcome(_ error: Int32, _ descriptor: Int32) -> Outcome {
    if error == 0 { return .taken }
    if error == ETIMEDOUT { return .noAnswer }
    guard let report = Report(from: descriptor) else {
      return error == ECONNREFUSED ? .reset : .unreachable(words(errno: error))
    }
    guard Interface.all().contains(where: { $0.addresses.contains(report.source) }) else {
      return .rejected(by: report.source)
    }
    // The kernel itself reports "host unreachable" only if neighbour discovery failed.
    return report.isUnreachableHost ? .nobody : .stoppedHere
  }

  /// Returns how often a TCP segment could not be retransmitted because this machine's firewall dropped it, by
  /// /proc/net/netstat. The number includes other processes, which rarely matters.
  private static func failedTransmissions() -> Int {
    let lines = (Files.text("/proc/net/netstat") ?? "").split(separator: "\n").filter { $0.hasPrefix("TcpExt:") }
      .map { $0.split(separator: " ") }
    guard lines.count == 2, let place = lines[0].firstIndex(of: "TCPRetransFail"), place < lines[1].count else {
      return 0
    }
    return Int(lines[1][place]) ?? 0
  }
}

/// An ICMP message from a socket's error queue (recvmsg(2), ip(7)).
private struct Report {
  private static let icmp: UInt8 = 2
  private static let icmp6: UInt8 = 3

  /// The address of the machine that sent the message.
  var source: String
  /// Whether the message is host unreachable (RFC 792) or address unreachable (RFC 4443 §3.1).
  var isUnreachableHost: Bool

  init?(from descriptor: Int32) {
    var (control, data) = ([UInt8](repeating: 0, count: 512), [UInt8](repeating: 0, count: 512))
    let length = control.withUnsafeMutableBytes { control in
      data.withUnsafeMutableBytes { data in
        var piece = iovec(iov_base: data.baseAddress, iov_len: data.count)
        return withUnsafeMutablePointer(to: &piece) { pieces in
          var message = msghdr()
          (message.msg_iov, message.msg_iovlen) = (pieces, 1)
          (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          return recvmsg(descriptor, &message, Int32(MSG_ERRQUEUE)) >= 0 ? Int(message.msg_controllen) : 0
        }
      }
    }
    // cmsghdr: 8 bytes of length, 4 of level, 4 of type. sock_extended_err: 4 of errno, origin, type, code, 9 more;
    // then the address of the sender.
    guard length >= 16 + 16 + 16 else { return nil }
    let (origin, type, code) = (control[20], control[21], control[22])
    switch origin {
    case Self.icmp:
      isUnreachableHost = type == 3 && code == 1
      source = text(of: Array(control[36..<40]), AF_INET)
    case Self.icmp6 where length >= 16 + 16 + 24:
      isUnreachableHost = type == 1 && code == 3
      source = text(of: Array(control[40..<56]), AF_INET6)
    default:
      return nil
    }
  }
}
