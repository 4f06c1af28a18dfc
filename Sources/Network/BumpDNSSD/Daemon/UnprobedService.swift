import BumpDiscovery
import CAvahi

/// The state of a registration at the daemon.
enum RegistrationState {
  case established
  /// The daemon rejects single records, by its configuration.
  case refused
}

/// A service that avahi-daemon announces without probing, because its name is unique.
///
/// DNSServiceRegister probes for the name first, which takes a second (RFC 6762 §8.1); only Avahi's own client library
/// can turn that off. Sendable because it is used under the client's lock only.
private final class UnprobedService: @unchecked Sendable {
  private let daemon: DaemonClient.Locked
  private let service: Advertisement
  private let interface: AvahiIfIndex
  private let group: OpaquePointer

  init(
    _ service: Advertisement, on daemon: DaemonClient.Locked, interface: AvahiIfIndex,
    _ callback: @escaping AvahiEntryGroupCallback, _ context: UnsafeMutableRawPointer
  ) throws(DiscoveryError) {
    guard let group = avahi_entry_group_new(daemon.client, callback, context) else { throw daemon.error }
    (self.service, self.daemon, self.interface, self.group) = (service, daemon, interface, group)
  }

  func close() { avahi_entry_group_free(group) }

  /// Publishes the records again when the daemon's state changes: they contain the host name.
  ///
  /// - Returns: an error code of Avahi.
  func follow(_ state: AvahiClientState) -> Int32 {
    switch state {
    case AVAHI_CLIENT_S_RUNNING: publish()
    // The host name is about to change; the running state follows.
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: avahi_entry_group_reset(group)
    default: Int32(AVAHI_OK)
    }
  }

  private func publish() -> Int32 {
    let type = service.type.description
    guard let hostName = avahi_client_get_host_name_fqdn(daemon.client) else {
      return avahi_client_errno(daemon.client)
    }
    let host = String(cString: hostName).split(separator: ".").map(String.init)
    guard let records = ServiceRecord.all(of: service, on: host), let instance = try? service.recordName() else {
      return Int32(AVAHI_ERR_INVALID_RECORD)
    }
    for record in records {
      let (name, flags): (String, AvahiPublishFlags) =
        switch record.name {
        case .types: ("_services._dns-sd._udp.local", .shared)
        case .type: ("\(type).local", .shared)
        case .subtype(let subtype): ("\(service.type.browsed(subtype)).local", .shared)
        case .instance: (instance, .unique)
        }
      let code = avahi_entry_group_add_record(
        group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), flags, name,
        UInt16(AVAHI_DNS_CLASS_IN), record.type, record.timeToLive, record.data, record.data.count)
      guard code == AVAHI_OK else { return code }
    }
    return avahi_entry_group_commit(group)
  }
}

extension StackConversation where Stack == DaemonClient, Reply == RegistrationState {
  /// Registers a service without probing. Replies each time it is established.
  func publish(_ service: Advertisement, interface: AvahiIfIndex) {
    start { [self] daemon, context, _ throws(DiscoveryError) in
      let unprobed = try UnprobedService(
        service, on: daemon, interface: interface,
        { group, state, context in
          guard let conversation = StackConversation.from(context) else { return }
          switch state {
          case AVAHI_ENTRY_GROUP_ESTABLISHED: conversation.receive(.success(.established))
          case AVAHI_ENTRY_GROUP_COLLISION: conversation.refuse(Int32(AVAHI_ERR_COLLISION))
          case AVAHI_ENTRY_GROUP_FAILURE:
            conversation.refuse(avahi_client_errno(avahi_entry_group_get_client(group)))
          default: break
          }
        }, context)
      let follow: DaemonClient.States.Listener = { [unowned self] state in
        let code = state == AVAHI_CLIENT_FAILURE ? Int32(AVAHI_ERR_DISCONNECTED) : unprobed.follow(state)
        if code != AVAHI_OK { refuse(code) }
      }
      daemon.states.add(context, follow)
      follow(daemon.states.current)
      return {
        daemon.states.remove(context)
        unprobed.close()
      }
    }
  }

  private func refuse(_ code: Int32) {
    switch Int(code) {
    case AVAHI_ERR_COLLISION: receive(.failure(.nameTakenOnHost))
    case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED: receive(.failure(.noDaemon))
    default: receive(.success(.refused))
    }
  }
}
