import ArgumentParser
import BumpText

/// Says of wrong arguments what to type instead.
enum UsageHint {
  /// The commands, in the order of the arguments, that they name: `key`, `new`.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  static func path(of arguments: [String], from root: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    var path: [any ParsableCommand.Type] = []
    for word in arguments {
      let commands = (path.last ?? root).configuration.subcommands
      guard let next = commands.first(where: { $0._commandName == word }) else { break }
      path.append(next)
    }
    return path
  }

  /// Returns one sentence, and where the help is.
  ///
  /// - Parameter message: the parser's message.
  static func sentence<Named: Program>(for message: String, _ arguments: [String], of program: Named.Type) -> String {
    let path = path(of: arguments, from: Named.Root.self)
    let values = arguments.flatMap { [$0[...], $0.drop { $0 != "=" }.dropFirst()] }
    let message = values.reduce(message) { $0.replacing("'\($1)'", with: "'\(ArgumentText.repeatable(String($1)))'") }
    var sentence =
      hint(message, path, arguments, of: program) ?? inSmallLetters(MistypedOption.suggestingHelp(in: message))
    if sentence.hasSuffix(".") { sentence.removeLast() }
    if !sentence.hasSuffix("?") { sentence += "." }
    let words = [Named.Root._commandName] + path.map { $0._commandName }
    return "\(sentence) See `\(words.joined(separator: " ")) --help`"
  }

  private static func hint<Named: Program>(
    _ message: String, _ path: [any ParsableCommand.Type], _ arguments: [String], of program: Named.Type
  ) -> String? {
    let next = arguments.dropFirst(path.count).first ?? ""
    guard let command = path.last else {
      return next.isEmpty || next.hasPrefix("-") || next == "help" ? nil : Named.unknown(next)
    }
    if !command.configuration.subcommands.isEmpty, !next.isEmpty, !next.hasPrefix("-") {
      let names = [Named.Root._commandName] + path.map { $0._commandName }
      return "'\(ArgumentText.repeatable(next))' is not a command of \(command._commandName). "
        + command.commandMeant(by: next, of: names.joined(separator: " "))
    }
    if let flags = message.firstMatch(of: /flag '(--[a-z-]+)' had already been set with flag '(--[a-z-]+)'/) {
      return "\(flags.1) and \(flags.2) contradict each other"
    }
    return Named.hint(message, path, arguments)
  }

  /// Returns the parser's message as it is written behind the program's name.
  private static func inSmallLetters(_ message: String) -> String {
    message.prefix(1).lowercased() + message.dropFirst()
  }
}
