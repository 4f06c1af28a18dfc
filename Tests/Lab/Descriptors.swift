import Glibc
import Synchronization

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ call: String, _ code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

/// The descriptors of one child: the ends that it gets, and ours, each to be closed by whoever uses it.
struct Descriptors: Sendable {
  /// Held while descriptors are made and while a child is made: one made between `pipe` and FD_CLOEXEC
  /// would inherit another child's pipe, whose end would then never be seen.
  static let lock = Mutex(())

  /// The child's standard input, output and error.
  let child: [Int32]
  let input: Int32
  let output: Int32
  /// Nil where output and error are one terminal.
  let error: Int32?

  init(_ streams: Streams) throws {
    self = try Self.lock.withLock { _ in try Self(made: streams) }
  }

  private init(made streams: Streams) throws {
    switch streams {
    case .pipes:
      let (input, output, error) = (try pipeEnds(), try pipeEnds(), try pipeEnds())
      self.init(
        child: [input.read, output.write, error.write],
        input: input.write, output: output.read, error: error.read)
    case .terminal:
      let terminal = try terminalEnds()
      self.init(
        child: [terminal.user, terminal.user, terminal.user],
        input: try duplicate(terminal.ours), output: terminal.ours, error: nil)
    case .terminalButOutput:
      let (terminal, output) = (try terminalEnds(), try pipeEnds())
      self.init(
        child: [terminal.user, output.write, terminal.user],
        input: try duplicate(terminal.ours), output: output.read, error: terminal.ours)
    }
  }

  private init(child: [Int32], input: Int32, output: Int32, error: Int32?) {
    (self.child, self.input, self.output, self.error) = (child, input, output, error)
  }

  func closeChildEnds() {
    for descriptor in Set(child) { close(descriptor) }
  }
}

private func pipeEnds() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw SystemError("pipe") }
  try ends.forEach(closeOnExec)
  return (ends[0], ends[1])
}

private func terminalEnds() throws -> (ours: Int32, user: Int32) {
  var (ours, user): (Int32, Int32) = (-1, -1)
  var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
  guard openpty(&ours, &user, nil, nil, &size) == 0 else { throw SystemError("openpty") }
  try [ours, user].forEach(closeOnExec)
  return (ours, user)
}

private func closeOnExec(_ descriptor: Int32) throws {
  guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw SystemError("fcntl") }
}

private func duplicate(_ descriptor: Int32) throws -> Int32 {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  guard copy >= 0 else { throw SystemError("fcntl") }
  return copy
}
