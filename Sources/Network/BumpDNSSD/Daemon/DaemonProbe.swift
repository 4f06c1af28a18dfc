import BumpDiscovery
import BumpSystem
import CAvahi

extension DNSSDDiscovery {
  /// Returns whether an avahi-daemon answers. Takes about 10 ms. A daemon that hangs counts as not answering after one
  /// second.
  public static func isAnswered() async -> Bool {
    let (answers, feed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
    // The call blocks on D-Bus.
    startThread {
      _ = libraryIsReady
      var ref: DNSServiceRef?
      // The cheapest call that needs the daemon: Avahi does not have DNSServiceGetProperty.
      let code = DNSServiceBrowse(&ref, 0, 0, ServiceType.irlBump.description, nil, { _, _, _, _, _, _, _, _ in }, nil)
      if let ref { DNSServiceRefDeallocate(ref) }
      feed.yield(code == kDNSServiceErr_NoError)
    }
    // D-Bus itself times out after 25 s.
    let limit = Task {
      try await Task.sleep(for: .seconds(1))
      feed.yield(false)
    }
    defer { limit.cancel() }
    return await answers.first { _ in true } ?? false
  }
}
