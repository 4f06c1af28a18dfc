package import ArgumentParser
import BumpText
import CSystemCalls
import Dispatch
import Glibc
import Synchronization

/// A program of this package: its commands, and what it says of wrong arguments.
package protocol Program: SendableMetatype {
  associatedtype Root: AsyncParsableCommand

  /// The environment variables that replace options.
  static var variables: [String] { get }

  /// The commands that take an argument, which somebody else may have named. The id, link or file name `-h` must not pass
  /// for one that is there: in `bump claim "$id"` nothing tells it from a request for help.
  static var commandsWithArguments: [any ParsableCommand.Type] { get }

  /// Parses the arguments.
  static func parse(_ arguments: [String]) async throws -> any ParsableCommand

  /// Whether the arguments ask for a simulation.
  static func isSimulation(_ arguments: [String]) -> Bool

  /// Returns the error for a word that is not a command, but may be an argument of one.
  static func unknown(_ word: String) -> String

  /// Returns what to type instead of wrong arguments, as a clause; `nil` where the parser's own message says it.
  ///
  /// - Parameters:
  ///   - message: the parser's message.
  ///   - path: the commands that the arguments name.
  static func hint(_ message: String, _ path: [any ParsableCommand.Type], _ arguments: [String]) -> String?

  /// Cleans up before the program ends.
  static func cleanUp()
}

extension Program {
  package static func parse(_ arguments: [String]) async throws -> any ParsableCommand {
    try await Root.asyncParseAsRoot(arguments)
  }

  package static func isSimulation(_ arguments: [String]) -> Bool { false }

  package static func cleanUp() {}

  /// Runs the program, from `main`.
  ///
  /// What an asynchronous `main` does, but the arguments are looked at before there is a second thread: where there is no
  /// /proc, the threads of Dispatch may end the process before it can say why.
  package static func start() -> Never {
    Console.program.withLock { $0 = Root._commandName }
    Termination.prepare { cleanUp() }
    guard StandardStreams.occupy() else { Termination.end(ExitStatus.failure.rawValue) }
    // Swift reads the arguments from memory at addresses from /proc, next to the environment with which the process
    // started.
    guard !CommandLine.arguments.isEmpty else {
      report(
        CommandError(
          .failure, "the arguments cannot be read",
          remedy: "Is /proc mounted? Does LD_PRELOAD name a library that sets variables?"))
    }
    Task { await run() }
    dispatchMain()
  }

  /// Runs the command, and prints errors as one line after the program's name, with the exit status of the table.
  private static func run() async -> Never {
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
      try checkEncoding(CommandLine.unsafeArgv)
      try Environment.checkEncoding(of: variables)
      try checkHelp(arguments)
      var command = try await parse(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Termination.end(ExitStatus.success.rawValue)
    } catch let code as ExitCode {
      Termination.end(code.rawValue)
    } catch {
      report(error)
    }
  }

  /// Checks that all arguments are UTF-8. Otherwise a name or a path would silently be a different one.
  ///
  /// - Parameter arguments: the process's `argv`, which ends with `nil`.
  /// - Throws: `ValidationError`.
  private static func checkEncoding(_ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws {
    for number in 0... {
      guard let argument = arguments[number] else { return }
      if String(validatingCString: argument) == nil { throw ValidationError("argument \(number) is not UTF-8") }
    }
  }

  /// Checks that the words after `help` are commands.
  ///
  /// - Throws: `ValidationError`.
  private static func checkHelp(_ arguments: [String]) throws {
    guard arguments.first == "help" else { return }
    let words = arguments.dropFirst().filter { !$0.hasPrefix("-") }
    let path = UsageHint.path(of: words, from: Root.self)
    guard let word = words.dropFirst(path.count).first else { return }
    throw ValidationError(path.last.map { "'\(word)' is not a command of \($0._commandName)" } ?? unknown(word))
  }

  /// Prints help, version and completions to stdout, and any other error as a usage error.
  private static func report(_ error: any Error) -> Never {
    guard Root.exitCode(for: error) != .success else { answer(Root.fullMessage(for: error)) }
    guard Root.exitCode(for: error) == .validationFailure else {
      let error = CommandError(error)
      Console.standardError(error.message)
      Termination.end(error.status.rawValue)
    }
    let message = Root.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    let arguments = Array(CommandLine.arguments.dropFirst())
    reportUsage(UsageHint.sentence(for: message, arguments, of: Self.self))
  }

  /// Prints help, the version or a completion script. That is no success where something else was to be done.
  private static func answer(_ text: String) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let path = UsageHint.path(of: arguments, from: Root.self)
    let isUnfulfilled = path.last.map { command in commandsWithArguments.contains { $0 == command } } ?? false
    if !isUnfulfilled || !arguments.contains("--json") {
      Console.result(arguments.contains(HelpText.flag) ? text : inSections(text, arguments))
    }
    do {
      try Console.checkList()
    } catch let code as ExitCode {
      Termination.end(code.rawValue)
    } catch {
      report(error)
    }
    guard isUnfulfilled else { Termination.end(ExitStatus.success.rawValue) }
    let words = path.map { $0._commandName }.joined(separator: " ")
    let instead = "`\(Root._commandName) help \(words)` shows the same help with exit status 0"
    // No other command shows the whole help.
    reportUsage(arguments.contains(HelpText.flag) ? "nothing was done" : "nothing was done. \(instead)")
  }

  /// Returns the help of the command that the arguments name, in the command's sections.
  private static func inSections(_ help: String, _ arguments: [String]) -> String {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
    guard let command = UsageHint.path(of: words, from: Root.self).last as? any SectionedHelp.Type else { return help }
    return HelpText.inSections(
      help, command.helpSections, of: "\(Root._commandName) \(command._commandName)")
  }

  /// Reports wrong arguments.
  private static func reportUsage(_ sentence: String) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // The words of the arguments in it are escaped already, so its backslashes stay.
    let error = VisibleText.ofMessage(sentence)
    // A program that asked for JSON gets it, even for wrong arguments.
    JSONLines(arguments.contains("--json"), isSimulated: isSimulation(arguments)).write(
      "result",
      ["outcome": "failed", "exit": .integer(Int64(ExitStatus.usage.rawValue)), "error": .string(error)])
    Console.standardError(error)
    Termination.end(ExitStatus.usage.rawValue)
  }
}

extension ParsableCommand {
  /// The names of the commands of this one, as in `new, list or forget`.
  package static var commandNames: String {
    let names = configuration.subcommands.map { $0._commandName }
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }

  /// Returns the question whether another of the commands of this one was meant, or the names of all.
  ///
  /// - Parameters:
  ///   - word: the word that was typed.
  ///   - names: this command with those above it, such as `bump key`.
  package static func commandMeant(by word: String, of names: String) -> String {
    let meant = NearestWord.of(word, among: configuration.subcommands.map { $0._commandName })
    return meant.map { "Did you mean `\(names) \($0)`?" } ?? "Name one: \(commandNames)"
  }
}
