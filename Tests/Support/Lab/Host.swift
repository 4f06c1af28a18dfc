import Foundation
import Synchronization

/// A machine of its own: Linux namespaces for mounts, network and processes, with an empty /run and /dev/shm.
///
/// They live as long as their first process, a `cat` that reads from a pipe of ours: nothing has to be removed.
public final class Host: Sendable {
  public let name: String
  /// Its first process, as the tests' own process namespace numbers it.
  public let processID: Int32

  private let machine: RunningProcess
  private let running = Mutex<[RunningProcess]>([])
  let avahi = Mutex<RunningProcess?>(nil)

  /// Needs root. Its network is `lo` alone, up; new interfaces skip duplicate address detection (RFC 4862 §5.4).
  static func start(_ name: String) async throws -> Host {
    let script = """
      set -e
      mount -t tmpfs -o mode=755 tmpfs /run
      mount -t tmpfs tmpfs /dev/shm
      mkdir /run/dbus /run/avahi-daemon
      mkdir -m 1777 /run/tmp
      ip link set lo up
      echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
      read -r pid rest </proc/self/stat
      echo "pid $pid"
      exec cat
      """
    let machine = try await RunningProcess.start([
      "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", script,
    ])
    let line = try await machine.line { $0.hasPrefix("pid ") }
    guard let processID = Int32(line.dropFirst(4)) else { throw OutputEnded(description: line) }
    return Host(name, machine, processID)
  }

  private init(_ name: String, _ machine: RunningProcess, _ processID: Int32) {
    (self.name, self.machine, self.processID) = (name, machine, processID)
  }

  /// Kills what still runs on it, and waits until it is gone.
  func stop() async throws {
    // First its own processes, by their namespace: so each is reaped by the process that entered it, which then ends.
    machine.closeInput()
    _ = try await machine.finish()
    let remaining = running.withLock { $0 }
    for process in remaining { process.signal(SIGKILL) }
    for process in remaining { _ = try await process.finish() }
  }

  /// Starts a command on it.
  ///
  /// - Parameters:
  ///   - asItsOwn: whether it is a process of the host's own namespace too, and ends with it whatever happens. Otherwise the
  ///     process started is the command's own, so that it can be signalled.
  ///   - isReachable: whether it has the network of the tests' own process, and not the host's.
  public func spawn(
    _ command: [String], environment: [String: String] = [:], streams: Streams = .pipes, asItsOwn: Bool = false,
    isReachable: Bool = false
  ) async throws -> RunningProcess {
    let enter =
      ["nsenter", "--target", String(processID), "--mount"] + (isReachable ? [] : ["--net"])
      + (asItsOwn ? ["--pid"] : []) + ["--"]
    // Temporary files go with the host, even those of a process that is killed.
    let process = try await RunningProcess.start(
      enter + command, environment: environment.merging(["TMPDIR": "/run/tmp"]) { own, _ in own }, streams: streams)
    running.withLock { $0.append(process) }
    return process
  }

  /// Runs a command on it to its end.
  public func run(
    _ command: [String], environment: [String: String] = [:], input: String = "", within limit: Duration = .hang
  ) async throws -> ProcessResult {
    let process = try await spawn(command, environment: environment)
    process.type(input)
    process.closeInput()
    return try await process.finish(within: limit)
  }

  /// Runs a script of `sh` on it that must succeed.
  ///
  /// - Throws: `CommandFailed`.
  @discardableResult
  public func shell(_ script: String) async throws -> ProcessResult {
    let finished = try await run(["sh", "-ec", script])
    guard finished.status == 0 else { throw CommandFailed(finished: finished) }
    return finished
  }

  /// Prints a line with `length` for each packet that a pcap filter lets through, from now on.
  public func watch(_ interface: String, for filter: String) async throws -> RunningProcess {
    let tcpdump = try await spawn(["tcpdump", "-i", interface, "-n", "-l", "--immediate-mode", filter])
    try await tcpdump.line(on: .error) { $0.contains("listening on") }
    return tcpdump
  }

  /// A path on it, as the tests' own process sees it.
  public func path(_ path: String) -> String { "/proc/\(processID)/root\(path)" }
}

/// A command of the laboratory itself that did not succeed.
public struct CommandFailed: Error, CustomStringConvertible {
  public let finished: ProcessResult
  public var description: String { finished.description }
}
