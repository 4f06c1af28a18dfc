package import BumpDiscovery
package import BumpNet
import NIOCore

/// Finds the address of this machine to type on another one.
package enum OwnAddress {
  /// Where the address can be used, the best first.
  package enum Scope: Int { case network, link, tunnel, loopback }

  /// A placeholder for the interface in a link-local IPv6 address (RFC 4007 §11), which only the person at the other
  /// machine knows.
  package static let zone = "INTERFACE"

  /// - Parameters:
  ///   - interface: the only interface to use; `nil` for all.
  ///   - networks: the networks of this machine.
  /// - Returns: the address as written before `:PORT`, such as `192.0.2.7` or `[2001:db8::7]`, preferably IPv4. If all
  ///   are link-local, one with `zone` in place of its interface, such as `[fe80::7%INTERFACE]`. That of a tunnel, such
  ///   as a VPN, only if there is no other. Without a network, also with a cable that is out, the loopback address, for
  ///   two users of one machine; `nil` if there is no address at all.
  package static func current(
    on interface: NetworkInterface?, of networks: LocalNetworks = .current()
  ) -> (text: String, scope: Scope)? {
    let entries = (networks.entries ?? []).filter {
      $0.hasCarrier && (interface == nil || $0.interface == interface?.index)
    }
    let best = entries.min { (Scope($0).rawValue, $0.address.count) < (Scope($1).rawValue, $1.address.count) }
    guard let best, let host = text(best.address) else { return nil }
    let scope = Scope(best)
    let isIPv6 = best.address.count == 16
    return (isIPv6 ? "[\(host)\(scope == .link ? "%\(zone)" : "")]" : host, scope)
  }

  private static func text(_ address: [UInt8]) -> String? {
    (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address), port: 0))?.ipAddress
  }
}

extension OwnAddress.Scope {
  fileprivate init(_ entry: LocalNetworks.Entry) {
    if LocalNetworks.isLoopback(entry.address) {
      self = .loopback
    } else if entry.isPointToPoint {
      self = .tunnel
    } else {
      self = LocalNetworks.isLinkLocal(entry.address) ? .link : .network
    }
  }
}
