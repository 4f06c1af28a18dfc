import BumpClaims

/// Protects claim ids that begin with a hyphen, as one in 64 does: the parser would take them for options.
extension Arguments {
  /// The options that may stand before the beginning of an id, and take no value.
  private static let flags: Set = [
    "--again", "--code", "--decide", "--delivered", "--json", "--lost", "--quiet", "--show-secret", "--until-claimed",
    "--verbose", "--verify", "--wait", "--yes",
  ]

  /// Moves claim ids that begin with a hyphen after `--`, and arguments that can only be the beginning of one.
  static func protectingClaimIDs(_ arguments: [String]) -> [String] {
    guard !arguments.contains("--") else { return arguments }
    let isID = arguments.indices.map { isWholeID(arguments[$0]) || isBeginning(at: $0, of: arguments) }
    guard isID.contains(true) else { return arguments }
    let parts = [false, true].map { which in zip(arguments, isID).filter { $0.1 == which }.map(\.0) }
    return parts[0] + ["--"] + parts[1]
  }

  /// Returns what to type if an argument that the parser took for an option may be the beginning of an id.
  static func hintAtClaimID(_ arguments: [String]) -> String? {
    guard takesClaimID(arguments), !arguments.contains("--"), let command = arguments.first,
      let id = arguments.first(where: isLikeID)
    else { return nil }
    return "Is \(id) a claim's id? Type: bump \(command == "send" ? "send --again" : command) -- \(id)"
  }

  /// Returns whether an argument is neither one of bump's options, all of which are small letters and hyphens, nor a
  /// number.
  private static func isLikeID(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument.contains(/[A-Z0-9_]/) && argument.contains(/[A-Za-z_]/)
      && (try? ClaimID(argument)) != nil
  }

  private static func isWholeID(_ argument: String) -> Bool {
    // Our ids have 22 characters; no option has.
    argument.hasPrefix("-") && argument.utf8.count == 22 && (try? ClaimID(argument)) != nil
  }

  /// Returns whether an argument with one hyphen is in a place where no option's value is. The only option with one
  /// hyphen is `-h`, and `-help` means the same.
  private static func isBeginning(at index: Int, of arguments: [String]) -> Bool {
    guard index > 0, takesClaimID(arguments), arguments[index].wholeMatch(of: /-[A-Za-z0-9_][A-Za-z0-9_-]*/) != nil,
      !["-h", "-help"].contains(arguments[index])
    else { return false }
    let previous = arguments[index - 1]
    return !previous.hasPrefix("-") || previous.contains("=") || flags.contains(previous)
  }

  private static func takesClaimID(_ arguments: [String]) -> Bool {
    switch arguments.first {
    case "show", "link", "settle", "claim", "refund": true
    case "send": arguments.contains("--again")
    default: false
    }
  }
}
