import CAvahi
import Dispatch

/// A service on the host's avahi-daemon that is announced at once, as one whose name is unique as it is.
///
/// DNSServiceRegister probes for the name first, which takes a second (RFC 6762 §8.1), and dns_sd.h over Avahi cannot say
/// that it need not: Avahi's own client library can.
///
/// The client is made before its loop's thread runs and freed after; in between only that thread touches it, in
/// callbacks. The rest is touched on the queue. That makes it Sendable.
final class UnprobedRegistration: @unchecked Sendable {
  /// How it ends.
  enum Failure: Error {
    /// The daemon takes no such records, from us or from anybody.
    case refused
    case discovery(DiscoveryError)
  }

  private let queue = DispatchQueue(label: "avahi")
  private let service: Advertisement
  private let interface: AvahiIfIndex
  private var receiver: ((Result<Void, Failure>) -> Void)?
  private var client: (loop: OpaquePointer, client: OpaquePointer)?
  private var group: OpaquePointer?

  /// - Parameter receiver: told each time the service is established. A failure is the last.
  init(
    _ service: Advertisement, interface: UInt32, _ receiver: sending @escaping (Result<Void, Failure>) -> Void
  ) {
    self.service = service
    self.interface = interface == 0 ? AvahiIfIndex(AVAHI_IF_UNSPEC) : AvahiIfIndex(interface)
    self.receiver = receiver
  }

  func start() {
    // Each call waits for D-Bus: not on one of Swift's threads.
    queue.async { [self] in
      guard receiver != nil else { return }
      guard let loop = avahi_threaded_poll_new() else { return receive(.failure(.refused)) }
      let context = Unmanaged.passRetained(self)
      var code: Int32 = 0
      let client = avahi_client_new(
        avahi_threaded_poll_get(loop), AvahiClientFlags(rawValue: 0),
        { UnprobedRegistration.from($2)?.changed($0, to: $1) }, context.toOpaque(), &code)
      guard let client, avahi_threaded_poll_start(loop) == 0 else {
        if let client { avahi_client_free(client) }
        avahi_threaded_poll_free(loop)
        receive(.failure(Failure(code)))
        return context.release()
      }
      self.client = (loop, client)
    }
  }

  /// Withdraws the service. May be called at any time, from anywhere, more than once.
  func cancel() {
    queue.async { [self] in
      guard let (loop, client) = client else {
        receiver = nil
        return
      }
      self.client = nil
      avahi_threaded_poll_stop(loop)
      receiver = nil
      // Its groups go with it.
      avahi_client_free(client)
      avahi_threaded_poll_free(loop)
      Unmanaged.passUnretained(self).release()
    }
  }

  // MARK: What callbacks say

  private static func from(_ context: UnsafeMutableRawPointer?) -> UnprobedRegistration? {
    context.map { Unmanaged<UnprobedRegistration>.fromOpaque($0).takeUnretainedValue() }
  }

  private func receive(_ reply: Result<Void, Failure>) {
    receiver?(reply)
    guard case .failure = reply else { return }
    receiver = nil
    cancel()
  }

  private func changed(_ client: OpaquePointer?, to state: AvahiClientState) {
    switch state {
    case AVAHI_CLIENT_S_RUNNING:
      let code = publish(client)
      if code != AVAHI_OK { receive(.failure(Failure(code))) }
    // The host is about to have another name, and then it is running again.
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
      if let group { avahi_entry_group_reset(group) }
    case AVAHI_CLIENT_FAILURE:
      receive(.failure(Failure(avahi_client_errno(client))))
    default:
      break
    }
  }

  private func publish(_ client: OpaquePointer?) -> Int32 {
    group =
      group
      ?? avahi_entry_group_new(
        client,
        { group, state, context in
          guard let registration = UnprobedRegistration.from(context) else { return }
          switch state {
          case AVAHI_ENTRY_GROUP_ESTABLISHED: registration.receive(.success(()))
          case AVAHI_ENTRY_GROUP_COLLISION: registration.receive(.failure(Failure(AVAHI_ERR_COLLISION)))
          case AVAHI_ENTRY_GROUP_FAILURE:
            registration.receive(.failure(Failure(avahi_client_errno(avahi_entry_group_get_client(group)))))
          default: break
          }
        }, Unmanaged.passUnretained(self).toOpaque())
    guard let group else { return avahi_client_errno(client) }

    let type = service.type.description
    let host = String(cString: avahi_client_get_host_name_fqdn(client)).split(separator: ".").map(String.init)
    guard let records = ServiceRecord.all(of: service, on: host), let instance = try? service.recordName() else {
      return Int32(AVAHI_ERR_INVALID_RECORD)
    }
    for record in records {
      let (name, flags): (String, AvahiPublishFlags) =
        switch record.name {
        case .types: ("_services._dns-sd._udp.local", .shared)
        case .type: ("\(type).local", .shared)
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

extension UnprobedRegistration.Failure {
  init(_ code: some BinaryInteger) {
    switch Int(code) {
    case AVAHI_ERR_COLLISION:
      self = .discovery(DiscoveryError(daemonCode: DNSServiceErrorType(kDNSServiceErr_NameConflict)))
    case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED: self = .discovery(.noDaemon)
    default: self = .refused
    }
  }
}
