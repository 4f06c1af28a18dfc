public import BumpDiscovery

/// Returns discovery by the host's avahi-daemon if one answers, otherwise by a stack in this process.
///
/// - Parameter interface: the index of a single network interface; 0 for all.
public func automaticDiscovery(interface: UInt32 = 0) async -> any Discovery {
  await DNSSDDiscovery.isAnswered() ? DNSSDDiscovery(interface: interface) : EmbeddedDiscovery(interface: interface)
}
