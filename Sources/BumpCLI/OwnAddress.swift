import BumpKit
import Glibc
import NIOCore

/// Finds the address of this machine to type on another one.
enum OwnAddress {
  /// Where the address can be used.
  enum Scope { case network, link, loopback }

  /// A placeholder for the interface in a link-local IPv6 address (RFC 4007 §11), which only the person at the other
  /// machine knows.
  static let zone = "INTERFACE"

  /// - Parameter interface: the only interface to use; `nil` for all.
  /// - Returns: the address as written before `:PORT`, such as `192.0.2.7` or `[2001:db8::7]`, preferably IPv4. If all
  ///   are link-local, one with `zone` in place of its interface, such as `[fe80::7%INTERFACE]`. Without a network, the
  ///   loopback address, for two users of one machine; `nil` if there is no address at all.
  static func current(on interface: NetworkInterface?) -> (text: String, scope: Scope)? {
    let devices = ((try? System.enumerateDevices()) ?? []).filter { interface == nil || $0.name == interface?.name }
    let addresses = devices.compactMap(\.address).filter { $0.ipAddress != nil }
    guard let best = addresses.min(by: { rank($0) < rank($1) }) else { return nil }
    return (text(best), isLoopback(best) ? .loopback : isLinkLocal(best) ? .link : .network)
  }

  private static func rank(_ address: SocketAddress) -> Int {
    switch address {
    case .v4: isLoopback(address) ? 3 : 0
    case .v6 where isLinkLocal(address): 2
    case .v6: isLoopback(address) ? 4 : 1
    case .unixDomainSocket: 5
    }
  }

  private static func isLoopback(_ address: SocketAddress) -> Bool {
    address.ipAddress.map { $0.hasPrefix("127.") || $0 == "::1" } ?? false
  }

  private static func isLinkLocal(_ address: SocketAddress) -> Bool { address.ipAddress?.hasPrefix("fe80") == true }

  private static func text(_ address: SocketAddress) -> String {
    let host = String((address.ipAddress ?? "").prefix { $0 != "%" })
    guard host.contains(":") else { return host }
    return "[\(host)\(isLinkLocal(address) ? "%\(zone)" : "")]"
  }
}
