import BumpDiscovery
import CAvahi

extension ServiceRef where Reply == BrowseEvent {
  /// Browses for a type or one of its subtypes. Replies once for IPv4 and once for IPv6, as the daemon does.
  func browse(_ type: ServiceType, _ subtype: ServiceSubtype?, interface: UInt32) {
    start { ref, context in
      DNSServiceBrowse(
        &ref, 0, interface, type.with(subtype.map { [$0] } ?? []), nil,
        { _, flags, interface, error, name, type, domain, context in
          guard let ref = ServiceRef.from(context) else { return }
          guard error == kDNSServiceErr_NoError else {
            return ref.receive(.failure(DiscoveryError(daemonCode: error)))
          }
          // Skips names that are not UTF-8: a String cannot keep the bytes that resolving needs. RFC 6763 §4.1.1
          // forbids such names, and Avahi 0.8 reports none.
          guard
            let name = name.flatMap(String.init(validatingCString:)),
            let type = type.flatMap(String.init(validatingCString:)),
            let domain = domain.flatMap(String.init(validatingCString:))
          else { return }
          let instance = ServiceInstance(name: name, type: type, domain: domain, interface: interface)
          let isAdded = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
          ref.receive(.success(isAdded ? .found(instance) : .lost(instance)))
        }, context)
    }
  }
}
