import CAvahi
import Glibc

/// A whole multicast DNS responder and querier (RFC 6762) with a thread of its own, which ends with it.
///
/// Its owner may be any thread but that one, and `locked` is what makes it Sendable: nothing of the stack is touched
/// without its lock, which its own thread holds while it calls back.
final class MDNSStack: @unchecked Sendable {
  private let poll: OpaquePointer
  private let server: OpaquePointer

  /// - Parameter interface: the index of the one network interface to use; 0 for all of them.
  init(interface: UInt32) throws(DiscoveryError) {
    _ = coreIsReady
    guard let poll = avahi_threaded_poll_new(), let events = avahi_threaded_poll_get(poll) else {
      throw DiscoveryError(stackCode: AVAHI_ERR_NO_MEMORY)
    }
    var configuration = AvahiServerConfig()
    avahi_server_config_init(&configuration)
    defer { avahi_server_config_free(&configuration) }
    configuration.setOurs(interface: interface)
    var code: Int32 = 0
    guard let server = avahi_server_new(events, &configuration, { _, _, _ in }, nil, &code) else {
      avahi_threaded_poll_free(poll)
      throw DiscoveryError(stackCode: code)
    }
    guard avahi_threaded_poll_start(poll) == 0 else {
      avahi_server_free(server)
      avahi_threaded_poll_free(poll)
      throw DiscoveryError(stackCode: AVAHI_ERR_NO_MEMORY)
    }
    self.poll = poll
    self.server = server
  }

  deinit {
    avahi_threaded_poll_stop(poll)
    // Sends the goodbyes that are still due.
    avahi_server_free(server)
    avahi_threaded_poll_free(poll)
  }

  func locked<T>(_ body: (OpaquePointer) -> T) -> T {
    avahi_threaded_poll_lock(poll)
    defer { avahi_threaded_poll_unlock(poll) }
    return body(server)
  }
}

extension AvahiServerConfig {
  fileprivate mutating func setOurs(interface: UInt32) {
    // Nothing is published under it. Left out, it would be the machine's own name.
    host_name = avahi_strdup(HostName.random())
    publish_hinfo = 0
    publish_workstation = 0
    publish_domain = 0
    publish_addresses = 0
    enable_wide_area = 0
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    if interface != 0, if_indextoname(interface, &name) != nil {
      allow_interfaces = name.withUnsafeBufferPointer { avahi_string_list_add(nil, $0.baseAddress) }
    }
  }
}

/// Makes avahi-core fit for use, once and before the first call of it.
private let coreIsReady: Void = {
  _ = libraryIsReady
  // It would log to stderr.
  avahi_set_log_function { _, _ in }
  // The delays by which hosts avoid to speak all at once (RFC 6762 §6) come from rand(), which nobody else seeds:
  // every process would wait equally long.
  srand(UInt32.random(in: .min ... .max))
}()
