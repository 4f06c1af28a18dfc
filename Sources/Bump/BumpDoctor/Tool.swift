import CSystemCalls
import Glibc

/// Runs other programs for their output.
enum Tool {
  /// The greatest number of bytes of output to read: more than the rules of any firewall.
  private static let longestOutput = 1 << 24

  /// The directories of the system's programs, which only root can write to.
  private static let systemDirectories = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

  /// Returns the path of a program. Root searches the system's directories only, since PATH may be another user's;
  /// other users search PATH first.
  static func path(
    _ name: String, isRoot: Bool = geteuid() == 0, searchPath: String? = getenv("PATH").map { String(cString: $0) }
  ) -> String? {
    let own = isRoot ? [] : (searchPath ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    return (own + systemDirectories).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program without input, and with no environment but PATH and LC_ALL: this process's own may contain a code
  /// or the path of a key.
  ///
  /// - Returns: the program's standard output; `nil` if it failed, or took too long or wrote too much and was killed.
  static func run(_ path: String, _ arguments: [String], within limit: Duration = .seconds(3)) async -> String? {
    await blocking { runAndWait(path, arguments, limit) } ?? nil
  }

  private static func runAndWait(_ path: String, _ arguments: [String], _ limit: Duration) -> String? {
    var ends: [Int32] = [-1, -1]
    guard bump_process_pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let child = spawn(path, arguments, output: ends[1])
    close(ends[1])
    guard let child else { return nil }
    let output = readAll(ends[0], until: .now + limit)
    if output == nil { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1, errno == EINTR {}
    return status == 0 ? output : nil
  }

  private static func spawn(_ path: String, _ arguments: [String], output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // SwiftNIO's sockets stay open in children.
    bump_process_close_from(&actions, STDERR_FILENO + 1)

    // A thread of Dispatch blocks signals, and a child inherits the blocked ones.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let words = ([path] + arguments).map { (word: String) in strdup(word) } + [nil]
    let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words + environment { free(word) } }
    var child: pid_t = 0
    return posix_spawn(&child, path, &actions, &attributes, words, environment) == 0 ? child : nil
  }

  /// Returns the output; `nil` if it does not end by the deadline or is too long.
  private static func readAll(_ file: Int32, until deadline: ContinuousClock.Instant) -> String? {
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
    while text.count < longestOutput {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&waiting, 1, Int32(left.rounded(.up))) >= 0 || errno == EINTR else { return nil }
      guard waiting.revents != 0 else { continue }
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      guard count > 0 || errno == EINTR else { return nil }
      text += buffer[..<max(count, 0)]
    }
    return nil
  }
}
