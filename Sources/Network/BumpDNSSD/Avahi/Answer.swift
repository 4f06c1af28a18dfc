import BumpDiscovery
import CAvahi
import NIOCore

extension ResolvedService {
  /// Makes the result of an Avahi resolver.
  static func answer(
    _ event: AvahiResolverEvent, host: UnsafePointer<CChar>?, address: UnsafePointer<AvahiAddress>? = nil, port: UInt16,
    txt: UnsafeMutablePointer<AvahiStringList>?, interface: AvahiIfIndex
  ) -> Result<ResolvedService, DiscoveryError> {
    guard event == AVAHI_RESOLVER_FOUND, let host else { return .failure(.doesNotAnswer) }
    guard let host = String(validatingCString: host) else {
      return .failure(DiscoveryError(.failed, "the service's host name is not UTF-8"))
    }
    return .success(
      ResolvedService(
        host: host + ".", port: port, txt: TXTRecord(bytes: serialized(txt)), interface: UInt32(clamping: interface),
        address: address.flatMap { socketAddress($0.pointee, port: port, interface: UInt32(clamping: interface)) }))
  }
}

private func socketAddress(_ address: AvahiAddress, port: UInt16, interface: UInt32) -> SocketAddress? {
  let type: AddressRecord.RecordType = address.proto == AVAHI_PROTO_INET ? .a : .aaaa
  let bytes = withUnsafeBytes(of: address.data) { Array($0.prefix(type == .a ? 4 : 16)) }
  return AddressRecord(bytes: bytes, interface: interface).address(type, port: port)
}

/// Returns the encoded TXT record (RFC 1035 §3.3.14).
private func serialized(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8] {
  let size = avahi_string_list_serialize(list, nil, 0)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = avahi_string_list_serialize(list, buffer.baseAddress, buffer.count)
  }
}
