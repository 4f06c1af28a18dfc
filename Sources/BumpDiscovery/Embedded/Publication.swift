import CAvahi

/// A service on a stack, and the host that it is on: a PTR, SRV and TXT record (RFC 6763 §4 to §6), and A and AAAA
/// records that follow the addresses of this host.
///
/// All names but the type's carry 64 random bits, so none is probed for (RFC 6762 §8.1), which would take a second.
/// To be touched under the stack's lock, which makes it Sendable.
final class Publication: @unchecked Sendable {
  /// The longest that a publisher which was killed stays listed, in seconds.
  static let timeToLive: UInt32 = 120

  private let stack: MDNSStack.Locked
  private let interface: AvahiIfIndex
  private let host = HostName.random() + ".local"
  private let service: OpaquePointer
  private var addresses: [HostAddress: OpaquePointer] = [:]

  /// - Parameters:
  ///   - callback: told of the service's state, with `context`.
  init(
    _ advertisement: Advertisement, on stack: MDNSStack.Locked, interface: AvahiIfIndex,
    _ callback: @escaping AvahiSEntryGroupCallback, _ context: UnsafeMutableRawPointer
  ) throws(DiscoveryError) {
    guard let service = stack.core.s_entry_group_new(stack.server, callback, context) else {
      throw stack.error
    }
    self.stack = stack
    self.interface = interface
    self.service = service
    do {
      followAddresses()
      try add(advertisement)
    } catch {
      close()
      throw error
    }
  }

  /// Withdraws everything.
  func close() {
    stack.core.s_entry_group_free(service)
    for group in addresses.values { stack.core.s_entry_group_free(group) }
    addresses = [:]
  }

  // MARK: The service

  private func add(_ advertisement: Advertisement) throws(DiscoveryError) {
    let type = "\(advertisement.type).local"
    let name = try advertisement.recordName()
    var strings: UnsafeMutablePointer<AvahiStringList>?
    guard avahi_string_list_parse(advertisement.txt.bytes, advertisement.txt.bytes.count, &strings) == 0 else {
      throw DiscoveryError(.badTXTRecord, "the TXT record is cut short")
    }
    defer { avahi_string_list_free(strings) }

    try add("_services._dns-sd._udp.local", AVAHI_DNS_TYPE_PTR, .shared, to: service) {
      $0.pointee.data.ptr.name = avahi_strdup(type)
    }
    try add(type, AVAHI_DNS_TYPE_PTR, .shared, to: service) { $0.pointee.data.ptr.name = avahi_strdup(name) }
    try add(name, AVAHI_DNS_TYPE_SRV, .unique, to: service) {
      $0.pointee.data.srv.port = advertisement.port
      $0.pointee.data.srv.name = avahi_strdup(host)
    }
    try add(name, AVAHI_DNS_TYPE_TXT, .unique, to: service) {
      $0.pointee.data.txt.string_list = avahi_string_list_copy(strings)
    }
    let committed = stack.core.s_entry_group_commit(service)
    guard committed == AVAHI_OK else { throw DiscoveryError(stackCode: committed) }
  }

  // MARK: The host

  /// Publishes each address on its own interface, and in a group of its own, so that one can go without the others.
  func followAddresses() {
    // Where they cannot be known, those that are published stay.
    guard var current = try? HostAddress.toBePublished() else { return }
    if interface != AVAHI_IF_UNSPEC { current = current.filter { $0.interface == UInt32(interface) } }
    for (address, group) in addresses where !current.contains(address) {
      stack.core.s_entry_group_free(group)
      addresses[address] = nil
    }
    for address in current where addresses[address] == nil {
      guard let group = stack.core.s_entry_group_new(stack.server, { _, _, _, _ in }, nil) else { continue }
      do {
        let type = address.bytes.count == 4 ? AVAHI_DNS_TYPE_A : AVAHI_DNS_TYPE_AAAA
        try add(
          host, type, .oneOfUnique, to: group, interface: AvahiIfIndex(address.interface)
        ) { record in
          withUnsafeMutableBytes(of: &record.pointee.data) { $0.copyBytes(from: address.bytes) }
        }
        _ = stack.core.s_entry_group_commit(group)
        addresses[address] = group
      } catch {
        stack.core.s_entry_group_free(group)
      }
    }
  }

  // MARK: Records

  private func add(
    _ name: UnsafePointer<CChar>, _ type: some BinaryInteger, _ flags: AvahiPublishFlags, to group: OpaquePointer,
    interface: AvahiIfIndex? = nil, _ fill: (UnsafeMutablePointer<AvahiRecord>) -> Void
  ) throws(DiscoveryError) {
    guard let record = stack.core.record_new_full(name, UInt16(AVAHI_DNS_CLASS_IN), UInt16(type), Self.timeToLive)
    else {
      throw DiscoveryError(stackCode: AVAHI_ERR_NO_MEMORY)
    }
    defer { stack.core.record_unref(record) }
    fill(record)
    let code = stack.core.server_add(
      stack.server, group, interface ?? self.interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), flags, record)
    guard code == AVAHI_OK else { throw DiscoveryError(stackCode: code) }
  }
}

extension StackConversation where Stack == MDNSStack, Reply == Void {
  /// Announces a service. Replies each time it is established.
  func publish(_ advertisement: Advertisement, interface: AvahiIfIndex) {
    start { [source] locked, context, stack throws(DiscoveryError) in
      let publication = try Publication(
        advertisement, on: locked, interface: interface,
        { _, _, state, context in
          guard let conversation = StackConversation.from(context) else { return }
          switch state {
          case AVAHI_ENTRY_GROUP_ESTABLISHED: conversation.receive(.success(()))
          // Another host has the name after all.
          case AVAHI_ENTRY_GROUP_COLLISION: conversation.receive(.failure(.nameTakenHere))
          default: break
          }
        }, context)
      let changes = source.addressChanges { [weak stack] in stack?.locked { _ in publication.followAddresses() } }
      // One may have come before anybody told of it.
      publication.followAddresses()
      return {
        changes?.stop()
        publication.close()
      }
    }
  }
}
