/// The option parser's message about an unknown option.
package enum MistypedOption {
  /// Returns the message with `--help` as its suggestion, where that is nearer to what was typed.
  ///
  /// The parser does not count `--help` among a command's options, and suggests another one in its place, however little
  /// the two have in common: `--cap` for `--hepl`.
  package static func suggestingHelp(in message: String) -> String {
    guard
      let found = message.wholeMatch(of: /(Unknown option '--([^' ]+)')(?:\. Did you mean '--([^' ]+)'\?)?/),
      NearestWord.of(String(found.2), among: ["help"]) != nil
    else { return message }
    let typed = Array(found.2)
    if let other = found.3,
      NearestWord.distance(typed, Array(other)) <= NearestWord.distance(typed, Array("help"))
    {
      return message
    }
    return "\(found.1). Did you mean '--help'?"
  }
}
