import CAvahi

/// Both IPv4 and IPv6.
private let anyProtocol = AvahiProtocol(AVAHI_PROTO_UNSPEC)

extension StackConversation where Stack == MDNSStack, Reply == BrowseEvent {
  /// Asks what comes and goes: once for IPv4, once for IPv6.
  func browse(_ type: ServiceType, interface: AvahiIfIndex) {
    start { stack, context, _ throws(DiscoveryError) in
      let browser = stack.core.s_service_browser_new(
        stack.server, interface, anyProtocol, type.description, nil, AvahiLookupFlags(rawValue: 0),
        { _, interface, _, event, name, type, domain, _, context in
          guard let conversation = StackConversation.from(context) else { return }
          guard event == AVAHI_BROWSER_NEW || event == AVAHI_BROWSER_REMOVE else {
            if event == AVAHI_BROWSER_FAILURE { conversation.receive(.failure(.lookupFailed)) }
            return
          }
          // As with the daemon, a name that is not UTF-8 is passed over.
          guard
            let name = name.flatMap(String.init(validatingCString:)),
            let type = type.flatMap(String.init(validatingCString:)),
            let domain = domain.flatMap(String.init(validatingCString:))
          else { return }
          let instance = ServiceInstance(
            name: name, type: type + ".", domain: domain + ".", interface: UInt32(clamping: interface))
          conversation.receive(.success(event == AVAHI_BROWSER_NEW ? .found(instance) : .lost(instance)))
        }, context)
      guard let browser else { throw stack.error }
      FirstQuestion.ask(type, interface: interface == AVAHI_IF_UNSPEC ? 0 : UInt32(interface))
      return { stack.core.s_service_browser_free(browser) }
    }
  }
}

extension MDNSStack: Askable {
  static func resolve(
    _ instance: ServiceInstance, interface: AvahiIfIndex,
    _ conversation: StackConversation<MDNSStack, ResolvedService>
  ) {
    conversation.start { stack, context, _ throws(DiscoveryError) in
      let resolver = stack.core.s_service_resolver_new(
        stack.server, interface, anyProtocol, instance.name, instance.type, instance.domain, anyProtocol,
        AVAHI_LOOKUP_NO_ADDRESS,
        { _, interface, _, event, _, _, _, host, _, port, txt, _, context in
          StackConversation<MDNSStack, ResolvedService>.from(context)?.receive(
            ResolvedService.answer(event, host: host, port: port, txt: txt, interface: interface))
        }, context)
      guard let resolver else { throw stack.error }
      return { stack.core.s_service_resolver_free(resolver) }
    }
  }

  static func query(
    _ type: AddressRecord.RecordType, of host: String, interface: AvahiIfIndex,
    _ conversation: StackConversation<MDNSStack, AddressRecord>
  ) {
    conversation.start { stack, context, _ throws(DiscoveryError) in
      guard let key = stack.core.key_new(host, UInt16(AVAHI_DNS_CLASS_IN), type.rawValue) else {
        throw DiscoveryError(stackCode: AVAHI_ERR_INVALID_HOST_NAME)
      }
      defer { stack.core.key_unref(key) }
      let browser = stack.core.s_record_browser_new(
        stack.server, interface, anyProtocol, key, AVAHI_LOOKUP_USE_MULTICAST,
        { _, interface, _, event, record, _, context in
          guard let conversation = StackConversation<MDNSStack, AddressRecord>.from(context) else { return }
          if event == AVAHI_BROWSER_FAILURE { return conversation.receive(.failure(.lookupFailed)) }
          guard event == AVAHI_BROWSER_NEW, let record else { return }
          let isIPv4 = record.pointee.key.pointee.type == AddressRecord.RecordType.a.rawValue
          let bytes = withUnsafeBytes(of: record.pointee.data) { Array($0.prefix(isIPv4 ? 4 : 16)) }
          conversation.receive(.success(AddressRecord(bytes: bytes, interface: UInt32(clamping: interface))))
        }, context)
      guard let browser else { throw stack.error }
      return { stack.core.s_record_browser_free(browser) }
    }
  }
}

extension DiscoveryError {
  fileprivate static let lookupFailed = DiscoveryError(.unavailable, "multicast DNS cannot ask any more")
}
