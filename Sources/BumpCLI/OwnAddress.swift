import BumpKit
import Glibc
import NIOCore

/// The address of this machine to tell another one.
enum OwnAddress {
  /// - Parameter interface: The one to look at; `nil` for all of them.
  /// - Returns: As it stands before `:PORT`, such as `192.0.2.7` or `[2001:db8::7]`; `nil` where there is none that would
  ///   mean the same on another machine. IPv4 comes before IPv6. Where there is the loopback alone, its address does for
  ///   two users of one machine.
  static func current(on interface: NetworkInterface?) -> String? {
    let devices = ((try? System.enumerateDevices()) ?? []).filter { interface == nil || $0.name == interface?.name }
    let addresses = devices.compactMap(\.address).filter { $0.ipAddress != nil }
    guard let best = addresses.min(by: { rank($0) < rank($1) }), !isLinkLocal(best) else { return nil }
    return text(best)
  }

  private static func rank(_ address: SocketAddress) -> Int {
    switch address {
    case .v4: address.ipAddress?.hasPrefix("127.") == true ? 3 : 0
    case .v6 where isLinkLocal(address): 2
    case .v6: address.ipAddress == "::1" ? 4 : 1
    case .unixDomainSocket: 5
    }
  }

  private static func isLinkLocal(_ address: SocketAddress) -> Bool { address.ipAddress?.hasPrefix("fe80") == true }

  private static func text(_ address: SocketAddress) -> String {
    let host = address.ipAddress ?? ""
    return host.contains(":") ? "[\(host)]" : host
  }
}
