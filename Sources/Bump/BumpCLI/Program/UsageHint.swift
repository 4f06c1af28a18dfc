import ArgumentParser
import BumpClaims

/// Says of wrong arguments what to type instead, where the parser's own message does not.
enum UsageHint {
  /// The commands, in the order of the arguments, that they name: `key`, `new`.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  static func path(of arguments: [String]) -> [any ParsableCommand.Type] {
    var path: [any ParsableCommand.Type] = []
    for word in arguments {
      let commands = (path.last ?? BumpCommand.self).configuration.subcommands
      guard let next = commands.first(where: { $0._commandName == word }) else { break }
      path.append(next)
    }
    return path
  }

  /// Returns one sentence, and where the help is.
  ///
  /// - Parameter message: the parser's message.
  static func sentence(for message: String, _ arguments: [String]) -> String {
    let path = path(of: arguments)
    let words = path.map { $0._commandName }
    let values = arguments.flatMap { [$0[...], $0.drop { $0 != "=" }.dropFirst()] }
    let message = values.reduce(message) { $0.replacing("'\($1)'", with: "'\(Arguments.repeatable(String($1)))'") }
    var sentence = hint(message, path, arguments) ?? inSmallLetters(message)
    if sentence.hasSuffix(".") { sentence.removeLast() }
    if !sentence.hasSuffix("?") { sentence += "." }
    return "\(sentence) See `\((["bump"] + words).joined(separator: " ")) --help`"
  }

  private static func hint(
    _ message: String, _ path: [any ParsableCommand.Type], _ arguments: [String]
  ) -> String? {
    let next = arguments.dropFirst(path.count).first ?? ""
    guard let command = path.last else {
      return next.isEmpty || next.hasPrefix("-") || next == "help" ? nil : BumpCommand.unknown(next)
    }
    if !command.configuration.subcommands.isEmpty, !next.isEmpty, !next.hasPrefix("-") {
      return
        "'\(Arguments.repeatable(next))' is no command of \(command._commandName). Name one: \(command.commandNames)"
    }
    if message.hasPrefix("Missing expected argument") { return missing(message, path.map { $0._commandName }) }
    if let flags = message.firstMatch(of: /flag '(--[a-z-]+)' had already been set with flag '(--[a-z-]+)'/) {
      return "\(flags.1) and \(flags.2) contradict each other"
    }
    if command == SendCommand.self { return ofSend(message) }
    // The parser says nothing more of a number.
    if message.contains(/is invalid for '--limit <limit>'$/) { return "--limit is a number greater than zero" }
    if arguments.contains(where: { $0 == "--to" || $0.hasPrefix("--to=") }) {
      if command == ReceiveCommand.self {
        return "--to is an option of send. --with names a remembered sender, and --address an address to pay to"
      }
      if command == ClaimCommand.self {
        return "--to is an option of send. --address names an address to pay to"
      }
    }
    return nil
  }

  /// Returns the parser's message as it is written behind `bump: `.
  private static func inSmallLetters(_ message: String) -> String {
    message.prefix(1).lowercased() + message.dropFirst()
  }

  private static func missing(_ message: String, _ path: [String]) -> String? {
    if message.hasPrefix("Missing expected argument '<claimid") { return "name a claim: `bump history` lists them" }
    return switch path.joined(separator: " ") {
    case "key new": "name the file, such as `bump key new bump.key`"
    case "key forget": "name somebody: `bump key list` lists the names"
    case "card share": "name the file, such as `bump card share card.vcf`"
    case "card fetch", "clip open", "clip resolve": "give the link, or - for one on stdin"
    case "clip handover", "clip consume", "clip evict", "clip install": "name a product: `bump clip status` lists them"
    case "wallet trust": "name the vault, such as `bump wallet trust https://vault.example`"
    case "simulate": "name a failure: `bump simulate list` lists them"
    default: nil
    }
  }

  /// What people type after `bump send` that belongs to another option or command.
  private static func ofSend(_ message: String) -> String? {
    let word = message.firstMatch(of: /^Unexpected argument '([A-Za-z0-9]+)'/)?.1
    if let word, let token = try? Token(String(word)) {
      return "'\(token)' is a token: --token \(token) names it"
    }
    guard let option = message.firstMatch(of: /^Unknown option '(--[a-z]+)'/)?.1 else { return nil }
    return switch option {
    case "--with", "--for": "--to names a remembered receiver"
    case "--peer": "--peer is an option of `bump receive`: the sender waits, and the receiver connects"
    default: nil
    }
  }
}

extension ParsableCommand {
  /// The names of the commands of this one, as in `new, list or forget`.
  static var commandNames: String {
    let names = configuration.subcommands.map { $0._commandName }
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }
}
