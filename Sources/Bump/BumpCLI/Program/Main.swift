import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpText
import CSystemCalls
import Glibc

/// Runs the command, and prints errors as one line `bump: …`, with the exit status of the table.
@main enum Main {
  static func main() async {
    Termination.prepare { Simulation.removeStore() }
    guard StandardStreams.occupy() else { end(ExitStatus.failure.rawValue) }
    // Swift reads the arguments from memory at addresses from /proc, next to the environment with which the process
    // started.
    guard !CommandLine.arguments.isEmpty else {
      report(
        CommandError(
          .failure, "the arguments cannot be read",
          remedy: "Is /proc mounted? Does LD_PRELOAD name a library that sets variables?"))
    }
    if let shortage = OpenFiles.shortage() {
      report(CommandError(.failure, "\(shortage)", remedy: "Raise the limit: ulimit -n \(shortage.needed)"))
    }
    // A core dump would contain secrets, and a debugger of the same user could read them.
    guard bump_process_forbid_dumps() == 0 else {
      report(CommandError(.failure, "core dumps of this process, which would contain secrets, cannot be turned off"))
    }
    // A closed pipe must not kill the process in the middle of a bump: writes fail instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      try Arguments.checkEncoding(CommandLine.unsafeArgv)
      try Environment.checkEncoding(of: Environment.variables)
      try Arguments.checkHelp(arguments)
      var command = try await parse(Arguments.protectingAmount(arguments))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      end(ExitStatus.success.rawValue)
    } catch let code as ExitCode {
      end(code.rawValue)
    } catch {
      report(error)
    }
  }

  /// Parses `send` and `receive` without the tree of all commands, which would be 8 % of what a bump computes. If that
  /// fails, because of a wrong option or `--help`, the tree is used: its messages name `bump`.
  private static func parse(_ arguments: [String]) async throws -> any ParsableCommand {
    let bumps: [any AsyncParsableCommand.Type] = [SendCommand.self, ReceiveCommand.self]
    if let bump = bumps.first(where: { $0.configuration.commandName == arguments.first }) {
      // Reading the arguments takes as long as opening a store.
      ClaimStore.prepare()
      if let command = try? await bump.asyncParseAsRoot(Array(arguments.dropFirst())), type(of: command) == bump {
        return command
      }
    }
    return try await BumpCommand.asyncParseAsRoot(arguments)
  }

  private static func end(_ status: Int32) -> Never { Termination.end(status) }

  /// Prints help, version and completions to stdout, and any other error as a usage error.
  private static func report(_ error: any Error) -> Never {
    guard BumpCommand.exitCode(for: error) != .success else { answer(BumpCommand.fullMessage(for: error)) }
    guard BumpCommand.exitCode(for: error) == .validationFailure else {
      let error = CommandError(error)
      Console.standardError(error.message)
      end(error.status.rawValue)
    }
    let message = BumpCommand.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    reportUsage(UsageHint.sentence(for: message, Array(CommandLine.arguments.dropFirst())))
  }

  /// Prints help, the version or a completion script.
  private static func answer(_ text: String) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let command = HelpRequest.unfulfilled(arguments)
    let hasJSON = arguments.contains("--json")
    if command == nil || !hasJSON { Console.result(text) }
    do { try Console.checkList() } catch let code as ExitCode { end(code.rawValue) } catch { report(error) }
    guard let command else { end(ExitStatus.success.rawValue) }
    reportUsage("nothing was done. `bump help \(command)` shows the same help with exit status 0")
  }

  /// Reports wrong arguments.
  private static func reportUsage(_ sentence: String) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let error = VisibleText.of(sentence)
    // A program that asked for JSON gets it, even for wrong arguments.
    let isSimulated = arguments.contains { $0.hasPrefix("--simulate") }
    JSONLines(arguments.contains("--json"), isSimulated: isSimulated).write(
      "result",
      ["outcome": "failed", "exit": .integer(Int64(ExitStatus.usage.rawValue)), "error": .string(error)])
    Console.standardError(error)
    end(ExitStatus.usage.rawValue)
  }
}
