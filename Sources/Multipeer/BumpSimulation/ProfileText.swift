public import BumpFaults

extension FaultProfile {
  /// The lines of `bump simulate list` about a profile: its name, sentence, evidence and sources.
  public var summary: [String] {
    ["\(name)", "    \(sentence)", "    \(evidence.rawValue): \(sources.joined(separator: "; "))"]
  }

  /// All lines about a profile: the summary, and what to do.
  public var description: [String] { summary + ["    What to do: \(remedy)"] }

  /// The profile for programs: a JSON object (RFC 8259) on one line.
  public var json: String {
    JSONText.object([
      ("simulated", "true"), ("profile", JSONText.string(name)), ("wire", JSONText.string(wire.rawValue)),
      ("sentence", JSONText.string(sentence)), ("evidence", JSONText.string(evidence.rawValue)),
      ("sources", "[" + sources.map(JSONText.string).joined(separator: ",") + "]"),
      ("remedy", JSONText.string(remedy)),
    ])
  }
}

/// Encodes JSON of texts without control characters, with the fields in their order.
enum JSONText {
  static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\(string($0)):\($1)" }.joined(separator: ",") + "}"
  }

  static func string(_ text: String) -> String {
    "\"" + text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) } + "\""
  }
}
