import CSystemCalls
import Dispatch
import Glibc

/// Watches the network interfaces and addresses of this host for changes by rtnetlink(7).
struct InterfaceChanges {
  private let source: any DispatchSourceRead

  /// - Parameter handler: called after every change, on a private queue. Read the interfaces again.
  /// - Returns: `nil` if the netlink socket cannot be made.
  init?(_ handler: @escaping @Sendable () -> Void) {
    let descriptor = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), NETLINK_ROUTE)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
    let size = socklen_t(MemoryLayout.size(ofValue: address))
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "interfaces"))
    source.setEventHandler {
      // The messages are not parsed, so it does not matter that some are lost in a burst.
      var bytes = [UInt8](repeating: 0, count: 8192)
      while recv(descriptor, &bytes, bytes.count, 0) > 0 || errno == ENOBUFS {}
      handler()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  func stop() { source.cancel() }
}
