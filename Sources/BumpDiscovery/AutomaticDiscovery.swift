/// Discovery by the host's avahi-daemon where one answers, and by a stack of our own elsewhere.
///
/// - Parameter interface: The index of the one network interface to use; 0 for all of them.
public func automaticDiscovery(interface: UInt32 = 0) async -> any Discovery {
  await DNSSDDiscovery.isAnswered() ? DNSSDDiscovery(interface: interface) : EmbeddedDiscovery(interface: interface)
}
