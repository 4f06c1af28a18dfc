public import BumpDiscovery

/// Returns discovery by the host's avahi-daemon where one answers, and by a stack in this process otherwise.
///
/// - Parameter interface: the index of a single network interface; 0 for all.
public func automaticDiscovery(interface: UInt32 = 0) async -> any Discovery {
  await DNSSDDiscovery.isAnswered() ? DNSSDDiscovery(interface: interface) : EmbeddedDiscovery(interface: interface)
}
