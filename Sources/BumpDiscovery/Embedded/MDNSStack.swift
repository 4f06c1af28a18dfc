import CAvahi
import Glibc

/// A whole multicast DNS responder and querier (RFC 6762) with a thread of its own, which ends with it.
///
/// Its owner may be any thread but that one, and `locked` is what makes it Sendable: nothing of the stack is touched
/// without its lock, which its own thread holds while it calls back.
final class MDNSStack: AvahiStack, @unchecked Sendable {
  /// What is called on it.
  struct Locked {
    let core: bump_avahi_core
    let server: OpaquePointer

    /// What went wrong last.
    var error: DiscoveryError { DiscoveryError(stackCode: core.server_errno(server)) }
  }

  private let poll: OpaquePointer
  private let stack: Locked

  /// - Parameter interface: the index of the one network interface to use; 0 for all of them.
  init(interface: UInt32) throws(DiscoveryError) {
    guard let core = bump_avahi_core.loaded else {
      throw DiscoveryError(.unavailable, "multicast DNS needs a library; install the package libavahi-core7")
    }
    guard let poll = avahi_threaded_poll_new(), let events = avahi_threaded_poll_get(poll) else {
      throw DiscoveryError(stackCode: AVAHI_ERR_NO_MEMORY)
    }
    var configuration = AvahiServerConfig()
    _ = core.server_config_init(&configuration)
    defer { core.server_config_free(&configuration) }
    configuration.setOurs(interface: interface)
    var code: Int32 = 0
    guard let server = core.server_new(events, &configuration, { _, _, _ in }, nil, &code) else {
      avahi_threaded_poll_free(poll)
      throw DiscoveryError(stackCode: code)
    }
    guard avahi_threaded_poll_start(poll) == 0 else {
      core.server_free(server)
      avahi_threaded_poll_free(poll)
      throw DiscoveryError(stackCode: AVAHI_ERR_NO_MEMORY)
    }
    self.poll = poll
    stack = Locked(core: core, server: server)
  }

  deinit {
    avahi_threaded_poll_stop(poll)
    // Sends the goodbyes that are still due.
    stack.core.server_free(stack.server)
    avahi_threaded_poll_free(poll)
  }

  let hasFailed = false

  func locked<T>(_ body: (Locked) -> T) -> T {
    avahi_threaded_poll_lock(poll)
    defer { avahi_threaded_poll_unlock(poll) }
    return body(stack)
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
    // An interface without a carrier counts as down, so that all is announced and asked for anew once its cable is in.
    // Else what was sent meanwhile is lost, and who waits is found by the next question, at intervals of 1, 2, 4, 8 s.
    use_iff_running = 1
    // Of each interface, whatever it is that strangers announce: some five megabytes at most. When it is full nobody new
    // is found, so it is to be larger than what is easily forged.
    n_cache_entries_max = 16_384
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    if interface != 0, if_indextoname(interface, &name) != nil {
      allow_interfaces = name.withUnsafeBufferPointer { avahi_string_list_add(nil, $0.baseAddress) }
    }
  }
}
