import CAvahi

/// A connection to the host's avahi-daemon by Avahi's client library, and a thread for it.
///
/// Everything on it waits for D-Bus. dns_sd.h over Avahi makes a connection and a thread for each question, which takes
/// some ten milliseconds and five descriptors; here all questions share one.
///
/// `locked` is what makes it Sendable. Avahi's loop would abort, were a descriptor added to it by another thread while it
/// polls; D-Bus has all of its own when the loop begins, and each call writes its few bytes at once.
final class DaemonClient: AvahiStack, @unchecked Sendable {
  /// What is called on it.
  struct Locked {
    let client: OpaquePointer
    let states: States

    /// What went wrong last.
    var error: DiscoveryError { DiscoveryError(clientCode: avahi_client_errno(client)) }
  }

  /// How the daemon is, and who wants to know.
  final class States {
    typealias Listener = (_ state: AvahiClientState) -> Void
    fileprivate(set) var current = AVAHI_CLIENT_CONNECTING
    private var listeners: [UnsafeMutableRawPointer: Listener] = [:]

    /// - Parameter key: by which it can be removed.
    func add(_ key: UnsafeMutableRawPointer, _ listener: @escaping Listener) { listeners[key] = listener }
    func remove(_ key: UnsafeMutableRawPointer) { listeners[key] = nil }

    /// The object behind a callback's userdata.
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

  /// - Throws: `DiscoveryError.unavailable` where no daemon answers.
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
  /// Begins what ends when the daemon does.
  func startOnDaemon(_ opening: @escaping Opening) {
    start { [self] daemon, context, stack throws(DiscoveryError) in
      let close = try opening(daemon, context, stack)
      daemon.states.add(context) { [unowned self] state in
        if state == AVAHI_CLIENT_FAILURE { receive(.failure(.noDaemon)) }
      }
      return {
        daemon.states.remove(context)
        close()
      }
    }
  }
}

extension StackConversation where Stack == DaemonClient, Reply == Never {
  /// Has the connection ready for others.
  func keep() {
    start { _, _, _ in {} }
  }
}
