import CAvahi
import Dispatch

/// Discovery by the host's avahi-daemon where one answers, and by a stack of our own elsewhere.
///
/// Where there is no daemon, that is known within some 10 ms.
///
/// - Parameter interface: The index of the one network interface to use; 0 for all of them.
public func automaticDiscovery(interface: UInt32 = 0) async -> any Discovery {
  await daemonAnswers() ? DNSSDDiscovery(interface: interface) : EmbeddedDiscovery(interface: interface)
}

private func daemonAnswers() async -> Bool {
  await withCheckedContinuation { continuation in
    // It waits for D-Bus, so not on one of Swift's threads.
    DispatchQueue.global().async {
      _ = libraryIsReady
      var ref: DNSServiceRef?
      // The cheapest call that needs the daemon: Avahi has not got DNSServiceGetProperty.
      let code = DNSServiceBrowse(&ref, 0, 0, ServiceType.irlBump.description, nil, { _, _, _, _, _, _, _, _ in }, nil)
      if let ref { DNSServiceRefDeallocate(ref) }
      continuation.resume(returning: code == kDNSServiceErr_NoError)
    }
  }
}
