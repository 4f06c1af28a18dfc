import CAvahi

extension ServiceRef where Reply == ResolvedService {
  /// Asks where an instance is and what its TXT record says.
  func resolve(_ instance: ServiceInstance, interface: UInt32) {
    start { ref, context in
      DNSServiceResolve(
        &ref, 0, interface, instance.name, instance.type, instance.domain,
        { _, _, interface, error, _, host, port, length, txt, context in
          guard let ref = ServiceRef.from(context) else { return }
          guard error == kDNSServiceErr_NoError else {
            return ref.receive(.failure(DiscoveryError(resolveCode: error, interface: interface)))
          }
          guard let host = host.flatMap(String.init(validatingCString:)) else {
            return ref.receive(.failure(DiscoveryError(.failed, "the service's host name is not UTF-8")))
          }
          // Up to Avahi 0.8 the strings come in reverse. That matters to a key that stands twice, which none of ours does.
          let bytes = Array(UnsafeRawBufferPointer(start: txt, count: Int(length)))
          ref.receive(
            .success(
              ResolvedService(
                host: host, port: UInt16(bigEndian: port), txt: TXTRecord(bytes: bytes), interface: interface)))
        }, context)
    }
  }
}

extension DiscoveryError {
  /// Avahi gives up after 5 s with the code it has for a daemon that is gone. The two differ in the interface:
  /// the daemon's own word names the one asked, or `UInt32.max` for any; the library's word on the daemon names 0.
  fileprivate init(resolveCode code: DNSServiceErrorType, interface: UInt32) {
    if code == kDNSServiceErr_Unknown, interface != 0 {
      self = .doesNotAnswer
    } else {
      self.init(daemonCode: code)
    }
  }
}
