import ArgumentParser
import BumpWire
import CProcess
import Glibc

/// ArgumentParser around our own way of saying errors: one line, `bump: …`, and the exit status of the table.
@main enum Main {
  static func main() async {
    guard StandardStreams.occupy() else { exit(ExitStatus.failure.rawValue) }
    // Swift has them from there.
    guard !CommandLine.arguments.isEmpty else {
      report(CommandError(.failure, "the arguments cannot be read: is /proc mounted?"))
    }
    // A core dump would hold secrets, and so would what a debugger of the same user reads.
    guard bump_process_forbid_dumps() == 0 else { report(CommandError(.failure, "cannot keep core dumps off")) }
    // A reader that goes away must not end a bump in its middle: writes fail instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try await BumpCommand.asyncParseAsRoot(
        Arguments.protectingAmount(Arguments.protectingClaimIDs(Array(CommandLine.arguments.dropFirst()))))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      exit(code.rawValue)
    } catch {
      report(error)
    }
  }

  /// Help and version are answers, and go to stdout. The rest is a mistake in the arguments.
  private static func report(_ error: any Error) -> Never {
    guard BumpCommand.exitCode(for: error) != .success else {
      print(BumpCommand.fullMessage(for: error))
      exit(ExitStatus.success.rawValue)
    }
    guard BumpCommand.exitCode(for: error) == .validationFailure else {
      let error = CommandError(error)
      Console.standardError(error.message)
      exit(error.status.rawValue)
    }
    let message = BumpCommand.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    var sentence = message.prefix(1).lowercased() + message.dropFirst()
    if sentence.hasSuffix(".") { sentence.removeLast() }
    let word = CommandLine.arguments.dropFirst().first ?? ""
    let isCommand = BumpCommand.configuration.subcommands.contains { $0._commandName == word }
    if !isCommand, !word.isEmpty, !word.hasPrefix("-") { sentence = BumpCommand.unknown(word) }
    let error = VisibleText.of(sentence) + "; see `bump\(isCommand ? " \(word)" : "") --help`"
    // Who reads JSON has asked for it, even if nothing else was right.
    JSONLines(CommandLine.arguments.contains("--json")).write(
      "result",
      ["outcome": "failed", "exit": .integer(Int64(ExitStatus.usage.rawValue)), "error": .string(error)])
    Console.standardError(error)
    exit(ExitStatus.usage.rawValue)
  }
}
