import ArgumentParser
import BumpClaims
import BumpTerminal
import BumpText

/// What people type that belongs to another option or command.
extension Bump {
  static func hint(_ message: String, _ path: [any ParsableCommand.Type], _ arguments: [String]) -> String? {
    if message.hasPrefix("Missing expected argument") { return missing(message, path.map { $0._commandName }) }
    let command = path.last
    if command == SendCommand.self { return ofSend(message, arguments) }
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

  private static func missing(_ message: String, _ path: [String]) -> String? {
    if message.hasPrefix("Missing expected argument '<claimid") { return "name a claim: `bump history` lists them" }
    return switch path.joined(separator: " ") {
    case "key new": "name the file, such as `bump key new bump.key`"
    case "restore": "name the backup, such as `bump restore copy.sqlite`"
    case "key forget": "name somebody: `bump key list` lists the names"
    case "wallet trust": "name the vault, such as `bump wallet trust https://vault.example`"
    case "simulate": "name a failure: `bump simulate list` lists them"
    default: nil
    }
  }

  /// What people type after `bump send` that belongs to another option or command.
  private static func ofSend(_ message: String, _ arguments: [String]) -> String? {
    if message.hasPrefix("an amount "), let hint = amountFirst(arguments) { return hint }
    let codeTakesNoValue = "--code takes no value. The code is chosen for you, and shown"
    if message.contains("'--code' does not take any value") { return codeTakesNoValue }
    if message.contains(/nexpected arguments?:? '/) {
      let index = arguments.firstIndex(of: "--code")
      if let next = index.flatMap({ arguments.dropFirst($0 + 1).first }), !next.hasPrefix("-") {
        return codeTakesNoValue
      }
      if let amount = amountInGroups(arguments) { return "an amount has no spaces. Write \(amount)" }
    }
    let word = message.firstMatch(of: /^Unexpected argument '([A-Za-z0-9]+)'/)?.1
    if let word, word.contains(where: \.isLetter), let token = try? Token(String(word)) {
      return "'\(token)' is a token: --token \(token) names it"
    }
    if let word, word.uppercased() == Token.usdc.description { return "a token is in capitals: --token USDC names it" }
    if let word, ArgumentText.isLikeName(String(word)) { return "--to names a remembered receiver: --to \(word)" }
    guard let option = message.firstMatch(of: /^Unknown option '(--[a-z]+)'/)?.1 else { return nil }
    return switch option {
    case "--with", "--for": "--to names a remembered receiver"
    case "--peer": "--peer is an option of `bump receive`: the sender waits, and the receiver connects"
    default: nil
    }
  }

  /// Returns the command with the amount first, where a name or a token was typed before it; `nil` elsewhere.
  private static func amountFirst(_ arguments: [String]) -> String? {
    let words = arguments.dropFirst().prefix(2)
    guard let word = words.first, let amount = words.dropFirst().first, (try? Amount(amount)) != nil else { return nil }
    let isToken = word.contains(where: \.isLetter) && (try? Token(word)) != nil
    guard isToken || ArgumentText.isLikeName(word) else { return nil }
    let command = ["bump", "send", amount, isToken ? "--token" : "--to", word]
    return "the amount comes first: \(ShellCommand.text(command))"
  }

  /// Returns the amount that was typed with spaces between groups of three digits, as in `1 000 000.50`; `nil` if none
  /// was.
  private static func amountInGroups(_ arguments: [String]) -> String? {
    // Before it there may be the number of an option.
    for (start, first) in arguments.enumerated() where first.wholeMatch(of: /[0-9]{1,3}/) != nil {
      let groups = arguments.dropFirst(start + 1).prefix { $0.wholeMatch(of: /[0-9]{3}(?:\.[0-9]+)?/) != nil }
      let text = first + groups.joined()
      if !groups.isEmpty, (try? Amount(text)) != nil { return text }
    }
    return nil
  }
}
