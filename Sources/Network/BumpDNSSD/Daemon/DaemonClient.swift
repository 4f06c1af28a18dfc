import BumpDiscovery
import CAvahi

/// A connection to the host's avahi-daemon through Avahi's client library, with its thread.
///
/// All lookups share one connection. dns_sd.h over Avahi makes a connection and a thread for each, which takes some ten
/// milliseconds and five descriptors. Calls block on D-Bus.
///
/// Sendable because of `locked`. Avahi's loop aborts if another thread adds a descriptor while it polls; but D-Bus has
/// added all of its descriptors when the loop starts, and writes the few bytes of each call at once.
final class DaemonClient: AvahiStack, @unchecked Sendable {
  /// The handles that calls need, valid under the lock.
  struct Locked {
    let client: OpaquePointer
    let states: States

    /// The client's last error.
    var error: DiscoveryError { DiscoveryError(clientCode: avahi_client_errno(client)) }
  }

  /// The state of the daemon, and its listeners.
  final class States {
    typealias Listener = (_ state: AvahiClientState) -> Void
    fileprivate(set) var current = AVAHI_CLIENT_CONNECTING
    private var listeners: [UnsafeMutableRawPointer: Listener] = [:]

    /// - Parameter key: identifies the listener for `remove`.
    func add(_ key: UnsafeMutableRawPointer, _ listener: @escaping Listener) { listeners[key] = listener }
    func remove(_ key: UnsafeMutableRawPointer) { listeners[key] = nil }

    /// Returns the object in a callback's userdata.
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> States? {
      context.map { Unmanaged<States>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func changed(to state: AvahiClientState) {
      current = state
      for listener in listeners.values { listener(state) }
    }
  }

  private let poll: OpaquePointer
  private let client: OpaquePointer
  private let states = States()

  /// - Throws: `DiscoveryError.unavailable` if no daemon answers.
  init() throws(DiscoveryError) {
    guard let poll = avahi_threaded_poll_new() else { throw DiscoveryError(clientCode: AVAHI_ERR_NO_MEMORY) }
    let client = avahi_client_new(
      avahi_threaded_poll_get(poll), AvahiClientFlags(rawValue: 0),
      { States.from($2)?.changed(to: $1) },
      Unmanaged.passUnretained(states).toOpaque(), nil)
    guard let client else {
      avahi_threaded_poll_free(poll)
      throw .noDaemon
    }
    guard avahi_threaded_poll_start(poll) == 0 else {
      avahi_client_free(client)
      avahi_threaded_poll_free(poll)
      throw DiscoveryError(clientCode: AVAHI_ERR_NO_MEMORY)
    }
    (self.poll, self.client) = (poll, client)
  }

  deinit {
    avahi_threaded_poll_stop(poll)
    avahi_client_free(client)
    avahi_threaded_poll_free(poll)
  }

  var hasFailed: Bool { locked { $0.states.current == AVAHI_CLIENT_FAILURE } }

  func locked<T>(_ body: (Locked) -> T) -> T {
    avahi_threaded_poll_lock(poll)
    defer { avahi_threaded_poll_unlock(poll) }
    return body(Locked(client: client, states: states))
  }
}

extension StackConversation where Stack == DaemonClient {
  /// Starts the conversation; it fails when the daemon goes away.
  func startOnDaemon(_ begin: @escaping Start) {
    start { [self] daemon, context, stack throws(DiscoveryError) in
      let end = try begin(daemon, context, stack)
      daemon.states.add(context) { [unowned self] state in
        if state == AVAHI_CLIENT_FAILURE { receive(.failure(.noDaemon)) }
      }
      return {
        daemon.states.remove(context)
        end()
      }
    }
  }
}

extension StackConversation where Stack == DaemonClient, Reply == Never {
  /// Keeps the connection for other conversations.
  func keep() {
    start { _, _, _ in {} }
  }
}
