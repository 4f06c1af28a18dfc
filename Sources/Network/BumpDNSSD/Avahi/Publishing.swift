import BumpDiscovery
import CAvahi

extension AvahiIfIndex {
  /// - Parameter index: the index of a network interface; 0 for all.
  init(chosen index: UInt32) { self = index == 0 ? AvahiIfIndex(AVAHI_IF_UNSPEC) : AvahiIfIndex(index) }
}

extension AvahiPublishFlags {
  /// Other hosts may have records of the name and type too.
  static let shared = AvahiPublishFlags(0)
  /// No other host has such records, and Avahi does not probe for them.
  static let unique = AvahiPublishFlags(AVAHI_PUBLISH_UNIQUE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue)
}

extension Advertisement {
  /// Returns the name of the instance's records in Avahi's syntax, escaped: `al\.ice._irl-bump._tcp.local`.
  func recordName() throws(DiscoveryError) -> String {
    var name = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
    guard avahi_service_name_join(&name, name.count, self.name, type.description, "local") == AVAHI_OK else {
      throw .badInstanceName
    }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
