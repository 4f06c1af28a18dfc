import BumpDiscovery
import CAvahi

/// Both IPv4 and IPv6.
private let anyProtocol = AvahiProtocol(AVAHI_PROTO_UNSPEC)

extension DaemonClient: ResolvingStack {
  /// Asks for an address too: avahi-daemon 0.8 delays each `query` by 10 ms, but no resolver.
  static func resolve(
    _ instance: ServiceInstance, interface: AvahiIfIndex,
    _ conversation: StackConversation<DaemonClient, ResolvedService>
  ) {
    conversation.startOnDaemon { daemon, context, _ throws(DiscoveryError) in
      let resolver = avahi_service_resolver_new(
        daemon.client, interface, anyProtocol, instance.name, instance.type, instance.domain, anyProtocol,
        AvahiLookupFlags(rawValue: 0),
        { _, interface, _, event, _, _, _, host, address, port, txt, _, context in
          StackConversation<DaemonClient, ResolvedService>.from(context)?.receive(
            ResolvedService.answer(event, host: host, address: address, port: port, txt: txt, interface: interface))
        }, context)
      guard let resolver else { throw daemon.error }
      return { avahi_service_resolver_free(resolver) }
    }
  }

  static func query(
    _ type: AddressRecord.RecordType, of host: String, interface: AvahiIfIndex,
    _ conversation: StackConversation<DaemonClient, AddressRecord>
  ) {
    conversation.startOnDaemon { daemon, context, _ throws(DiscoveryError) in
      let browser = avahi_record_browser_new(
        daemon.client, interface, anyProtocol, host, UInt16(AVAHI_DNS_CLASS_IN), type.rawValue,
        AVAHI_LOOKUP_USE_MULTICAST,
        { browser, interface, _, event, _, _, _, data, size, _, context in
          guard let conversation = StackConversation<DaemonClient, AddressRecord>.from(context) else { return }
          if event == AVAHI_BROWSER_FAILURE {
            let code = avahi_client_errno(avahi_record_browser_get_client(browser))
            return conversation.receive(.failure(DiscoveryError(clientCode: code)))
          }
          guard event == AVAHI_BROWSER_NEW else { return }
          let bytes = Array(UnsafeRawBufferPointer(start: data, count: size))
          conversation.receive(.success(AddressRecord(bytes: bytes, interface: UInt32(clamping: interface))))
        }, context)
      guard let browser else { throw daemon.error }
      return { avahi_record_browser_free(browser) }
    }
  }
}
