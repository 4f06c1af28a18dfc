import CSystemCalls
import Glibc

/// An instance of epoll(7). It reports each socket once; to wait again, add it again.
struct Epoll: Sendable {
  private let descriptor: Int32
  /// An eventfd that ends `next`.
  private let alarm: Int32

  /// The token of the alarm.
  static let alarmToken: UInt64 = 0

  init() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    alarm = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: Self.alarmToken))
    let isMade = descriptor >= 0 && alarm >= 0 && epoll_ctl(descriptor, EPOLL_CTL_ADD, alarm, &event) == 0
    precondition(isMade, "the process has too many open files to wait for a socket: errno \(errno)")
  }

  /// Adds a socket, to be reported once by its token.
  ///
  /// - Returns: whether the kernel accepted it.
  func add(_ socket: Int32, _ interest: Interest, token: UInt64) -> Bool {
    var event = epoll_event(events: interest.rawValue | EPOLLONESHOT.rawValue, data: epoll_data(u64: token))
    // A socket that was reported before is still registered.
    if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) == 0 { return true }
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
  }

  func remove(_ socket: Int32) {
    var unused = epoll_event()
    epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, &unused)
  }

  /// Wakes `next` up.
  func ring() {
    eventfd_write(alarm, 1)
  }

  /// Blocks until a socket is ready, `ring` is called or the time has passed. Returns the tokens of the ready sockets.
  ///
  /// - Parameter milliseconds: the time limit; -1 means none.
  func next(within milliseconds: Int32) -> [UInt64] {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
    let tokens = events.prefix(max(0, Int(count))).map(\.data.u64)
    if tokens.contains(Self.alarmToken) {
      var unused: eventfd_t = 0
      eventfd_read(alarm, &unused)
    }
    return tokens
  }

  /// The events to wait for. A closed connection is both readable and writable.
  struct Interest: OptionSet, Sendable {
    let rawValue: UInt32
    static let readable = Interest(rawValue: EPOLLIN.rawValue)
    static let writable = Interest(rawValue: EPOLLOUT.rawValue)
  }
}

/// Whether a read would not block: data or the end of the connection has arrived.
func isReadable(_ socket: Int32) -> Bool {
  var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
  return poll(&descriptor, 1, 0) > 0
}
