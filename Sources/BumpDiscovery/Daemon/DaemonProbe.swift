import CAvahi
import Dispatch

extension DNSSDDiscovery {
  /// Whether an avahi-daemon answers. Where there is none, that is known within some 10 ms; one that hangs is given a
  /// second.
  public static func isAnswered() async -> Bool {
    let (answers, feed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
    // It waits for D-Bus, so not on one of Swift's threads.
    DispatchQueue.global().async {
      _ = libraryIsReady
      var ref: DNSServiceRef?
      // The cheapest call that needs the daemon: Avahi has not got DNSServiceGetProperty.
      let code = DNSServiceBrowse(&ref, 0, 0, ServiceType.irlBump.description, nil, { _, _, _, _, _, _, _, _ in }, nil)
      if let ref { DNSServiceRefDeallocate(ref) }
      feed.yield(code == kDNSServiceErr_NoError)
    }
    // D-Bus would wait for 25 s.
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { feed.yield(false) }
    return await answers.first { _ in true } ?? false
  }
}
