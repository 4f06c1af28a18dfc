import CAvahi

extension ServiceRef where Reply == BrowseEvent {
  /// Asks what comes and goes. Replies as often as the daemon does: once for IPv4, once for IPv6.
  func browse(_ type: ServiceType, interface: UInt32) {
    start { ref, context in
      DNSServiceBrowse(
        &ref, 0, interface, type.description, nil,
        { _, flags, interface, error, name, type, domain, context in
          guard let ref = ServiceRef.from(context) else { return }
          guard error == kDNSServiceErr_NoError else {
            return ref.receive(.failure(DiscoveryError(daemonCode: error)))
          }
          // To resolve a name that is not UTF-8 takes its own bytes, which no String keeps. RFC 6763 §4.1.1 forbids
          // such names, so only a stranger's mistake or mischief makes one, and Avahi 0.8 hands on none: it is passed over.
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
