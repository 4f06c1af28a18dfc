import BumpDiscovery
import CAvahi

extension ServiceRef where Reply == String {
  /// Registers a service. Replies with its name each time it is established.
  ///
  /// Avahi probes first, and sets no Add flag afterwards. If another host has the name, Avahi chooses the next one (RFC
  /// 6762 §9), such as `name #2`.
  func register(_ service: Advertisement, interface: UInt32) {
    start { ref, context in
      DNSServiceRegister(
        &ref, 0, interface, service.name, service.type.with(service.subtypes), nil, nil, service.port.bigEndian,
        UInt16(service.txt.bytes.count), service.txt.bytes,
        { _, _, error, name, _, _, context in
          guard let ref = ServiceRef.from(context) else { return }
          guard error == kDNSServiceErr_NoError, let name else {
            return ref.receive(.failure(DiscoveryError(daemonCode: error)))
          }
          ref.receive(.success(String(cString: name)))
        }, context)
    }
  }
}
