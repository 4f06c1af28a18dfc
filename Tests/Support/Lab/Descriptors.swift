import CLab
import Glibc

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ call: String, _ code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

/// The descriptors of one child: the ends that it gets, and ours, each to be closed by whoever uses it.
///
/// No other child inherits one, whoever makes it and when: the end of an inherited pipe would never be seen.
struct Descriptors: Sendable {
  /// The child's standard input, output and error.
  let child: [Int32]
  let input: Int32
  let output: Int32
  /// Nil where output and error are one terminal.
  let error: Int32?

  init(_ streams: Streams) throws {
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
  guard lab_pipe(&ends) == 0 else { throw SystemError("pipe2") }
  return (ends[0], ends[1])
}

private func terminalEnds() throws -> (ours: Int32, user: Int32) {
  var ends: [Int32] = [-1, -1]
  guard lab_terminal(&ends, 24, 80) == 0 else { throw SystemError("posix_openpt") }
  return (ends[0], ends[1])
}

private func duplicate(_ descriptor: Int32) throws -> Int32 {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  guard copy >= 0 else { throw SystemError("fcntl") }
  return copy
}
