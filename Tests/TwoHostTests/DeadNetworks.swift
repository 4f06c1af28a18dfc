import Lab

/// Interfaces that lead nowhere, as a laptop has them beside the one that it is reached by.
enum DeadNetworks {
  /// A cable that nobody has plugged in, one to a host that says nothing, a container bridge without containers, and
  /// a tunnel that all else is routed through and nobody reads.
  ///
  /// - Parameter silent: the host that says nothing.
  static func add(to host: Host, beside silent: Host, number: Int) async throws {
    let mute = try await Link.join(host, silent, number: number)
    guard let interface = mute.interface(of: silent) else { return }
    // Up, so that packets go there, but without an address nobody there answers, not even to be refused.
    try await silent.shell(
      """
      ip address flush dev \(interface)
      echo 1 >/proc/sys/net/ipv6/conf/\(interface)/disable_ipv6
      """)
    try await host.shell(
      """
      ip link add loose type veth peer name loose-end
      ip link set loose addrgenmode none up
      ip address add 192.168.1.1/24 dev loose
      ip address add fd78::1/64 dev loose nodad

      ip link add docker0 type bridge
      ip link set docker0 up
      ip address add 172.17.0.1/16 dev docker0

      ip tuntap add tun0 mode tun
      ip link set tun0 up
      ip address add 10.8.0.1/24 dev tun0
      ip route add default dev tun0
      """)
  }
}
