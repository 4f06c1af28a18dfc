import Foundation
public import Glibc
import Synchronization

/// A process that runs.
public final class RunningProcess: Sendable {
  /// What it was started as, for messages.
  public let command: [String]
  public let processID: pid_t
  public let started: ContinuousClock.Instant
  public let standardOutput: Output
  /// The same as `standardOutput` where both are one terminal.
  public let standardError: Output

  private let ending: ObservedValue<Child.Ending?>
  private let input: Mutex<Int32?>

  /// Starts a command, found by the PATH of this process.
  ///
  /// - Parameters:
  ///   - environment: the whole environment of the process but for PATH.
  public static func start(
    _ command: [String], environment: [String: String] = [:], streams: Streams = .pipes
  ) async throws -> RunningProcess {
    // Writing to a process that has ended must not end ours.
    Glibc.signal(SIGPIPE, SIG_IGN)
    let descriptors = try Descriptors(streams)
    let ending = ObservedValue<Child.Ending?>(nil)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin"
    // setsid gives it the terminal that is its input as controlling terminal, so that Ctrl-C is a signal.
    let prefix = if case .pipes = streams { [String]() } else { ["setsid", "--ctty"] }
    let (pid, start) = try await Child.make(
      prefix + command, environment: environment.merging(["PATH": path]) { own, _ in own }, descriptors: descriptors
    ) { collect in
      ending.change { $0 = collect() }
    }
    return RunningProcess(command, pid, start, descriptors, ending)
  }

  private init(
    _ command: [String], _ pid: pid_t, _ start: ContinuousClock.Instant, _ descriptors: Descriptors,
    _ ending: ObservedValue<Child.Ending?>
  ) {
    (self.command, self.processID, self.started, self.ending) = (command, pid, start, ending)
    input = Mutex(descriptors.input)
    standardOutput = Output()
    standardError = descriptors.error == nil ? standardOutput : Output()
    standardOutput.read(from: descriptors.output)
    if let error = descriptors.error { standardError.read(from: error) }
  }

  deinit { closeInput() }

  /// Writes to its input: to a terminal, what a person types.
  public func type(_ text: String) {
    input.withLock { input in
      guard let input else { return }
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
      }
    }
  }

  public func closeInput() {
    input.withLock { input in
      if let input { close(input) }
      input = nil
    }
  }

  /// Sends it a signal, unless it has ended.
  public func signal(_ number: Int32) {
    ending.change { if $0 == nil { kill(processID, number) } }
  }

  /// When it ended, if it has.
  public var ended: ContinuousClock.Instant? { ending.value?.at }

  /// Waits for its end and the end of its output.
  ///
  /// - Throws: `TimedOut` with what it said so far; it is killed then.
  public func finish(within limit: Duration = .hang) async throws -> ProcessResult {
    do {
      let end = try await withTimeout(limit, "the end of a process") { [self] in
        let end = try await ending.wait { $0 }
        try await standardOutput.complete()
        try await standardError.complete()
        return end
      }
      closeInput()
      return ProcessResult(
        command: command, status: end.status, duration: started.duration(to: end.at),
        standardOutput: standardOutput.text, standardError: standardError.text,
        screen: standardOutput.screen)
    } catch let error as TimedOut {
      signal(SIGKILL)
      throw TimedOut(description: "\(error): \(self)")
    } catch {
      signal(SIGKILL)
      throw error
    }
  }

  /// The most memory it has had resident so far, in bytes. (What wait4 tells counts the memory of
  /// the test process too, from between fork and exec.)
  public func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let fields = line?.split(whereSeparator: \.isWhitespace) ?? []
    guard fields.count == 3, let kibibytes = Int(fields[1]) else {
      throw OutputEnded(description: "no memory, as it has ended: \(self)")
    }
    return kibibytes * 1024
  }
}

extension RunningProcess: CustomStringConvertible {
  /// The command and all it said, for a failure that must be understood from its message alone.
  public var description: String {
    let streams = standardOutput === standardError ? [standardOutput] : [standardOutput, standardError]
    return "\(command.joined(separator: " "))\n" + streams.map { "┆ \($0.text)" }.joined(separator: "\n")
  }
}
