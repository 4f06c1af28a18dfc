import CAvahi

extension ServiceRef where Reply == AddressRecord {
  /// Asks for a host's addresses of one family. Replies with each record as it is heard of.
  func query(_ type: AddressRecord.RecordType, of host: String, interface: UInt32) {
    start { ref, context in
      DNSServiceQueryRecord(
        &ref, 0, interface, host, type.rawValue, UInt16(kDNSServiceClass_IN),
        { _, flags, interface, error, _, _, _, length, data, _, context in
          guard let ref = ServiceRef.from(context) else { return }
          guard error == kDNSServiceErr_NoError else {
            return ref.receive(.failure(DiscoveryError(daemonCode: error)))
          }
          guard flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0 else { return }
          let bytes = Array(UnsafeRawBufferPointer(start: data, count: Int(length)))
          ref.receive(.success(AddressRecord(bytes: bytes, interface: interface)))
        }, context)
    }
  }
}
