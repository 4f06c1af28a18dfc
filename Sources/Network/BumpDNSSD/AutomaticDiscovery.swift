public import BumpDiscovery

/// Returns discovery by the host's avahi-daemon if one answers, otherwise by a stack in this process.
///
/// - Parameters:
///   - interface: the index of a single network interface; 0 for all.
///   - onRefusal: what `EmbeddedDiscovery` calls if another program holds the port of an address family.
///   - onReturn: what `EmbeddedDiscovery` calls when that family can be used again.
public func automaticDiscovery(
  interface: UInt32 = 0, onRefusal: @escaping @Sendable (DiscoveryError) -> Void = { _ in },
  onReturn: @escaping @Sendable (String) -> Void = { _ in }
) async -> any Discovery {
  await DNSSDDiscovery.isAnswered()
    ? DNSSDDiscovery(interface: interface)
    : EmbeddedDiscovery(interface: interface, onRefusal: onRefusal, onReturn: onReturn)
}
