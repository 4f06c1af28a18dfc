/// Parses the output of `iptables-save` and `ip6tables-save` (iptables(8), iptables-extensions(8)).
///
/// An option that is not supported becomes an unknown condition. The finding then says that the firewall may drop a
/// packet.
enum IPTables {
  /// Returns the chains, with their rules.
  ///
  /// - Parameter family: `ip` for iptables, `ip6` for ip6tables.
  static func chains(_ text: String, family: String) -> [Ruleset.ChainID: Ruleset.Chain] {
    var chains: [Ruleset.ChainID: Ruleset.Chain] = [:]
    var table = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let words = words(line)
      guard let first = words.first else { continue }
      if first.hasPrefix("*") {
        table = String(first.dropFirst())
      } else if first.hasPrefix(":"), words.count > 1, table != "nat" {
        let name = String(first.dropFirst())
        let id = Ruleset.ChainID(family: family, table: table, chain: name)
        chains[id] = .init(
          hook: Ruleset.Hook(rawValue: name.lowercased()), priority: priorities[table] ?? 0,
          isDroppedAtEnd: words[1] == "DROP", tool: .iptables)
      } else if first == "-A", words.count > 1 {
        let id = Ruleset.ChainID(family: family, table: table, chain: words[1])
        chains[id]?.rules.append(IPTablesRule.read(words.dropFirst(2)))
      }
    }
    return chains
  }

  /// The order in which a hook calls the tables.
  private static let priorities = ["raw": -300, "mangle": -150, "filter": 0, "security": 50]

  /// Splits a line into words; text in quotes is one word.
  private static func words(_ line: Substring) -> [String] {
    var (words, word, isQuoted, isEscaped) = ([String](), "", false, false)
    for character in line {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}

/// One rule of iptables.
enum IPTablesRule {
  static func read(_ words: some Collection<String>) -> Rule {
    var rest = Array(words)[...]
    var conditions: [Condition] = []
    var isNegated = false
    while let option = rest.popFirst() {
      switch option {
      case "!":
        isNegated = true
        continue
      // The rest are options of the target.
      case "-j": return Rule(conditions: conditions, verdict: verdict(rest.first ?? ""))
      case "-g": return Rule(conditions: conditions, verdict: .goto(rest.first ?? ""))
      // Skips the module's name: its options are the conditions. Unsupported options become unknown below.
      case "-m": rest = rest.dropFirst()
      case "--comment": rest = rest.dropFirst()
      default:
        if option.hasPrefix("-") {
          // Some have no value, such as --rsource of the module recent.
          let hasValue = rest.first.map { !$0.hasPrefix("-") && $0 != "!" } ?? false
          let value = hasValue ? rest.removeFirst() : ""
          conditions.append(Condition(subject: subject(option, value), isNegated: isNegated))
        }
      }
      isNegated = false
    }
    return Rule(conditions: conditions, verdict: .none)
  }

  static func verdict(_ target: String) -> Rule.Verdict {
    switch target {
    case "ACCEPT": .accept
    case "DROP", "REJECT": .drop
    case "RETURN": .leave
    case "QUEUE", "NFQUEUE": .unknown
    case "LOG", "NFLOG", "MARK", "CONNMARK", "CT", "TRACE", "AUDIT", "SET", "TCPMSS", "CLASSIFY", "CHECKSUM": .none
    default: .jump(target)
    }
  }

  private static func subject(_ option: String, _ value: String) -> Condition.Subject {
    switch option {
    case "-p": .transport([value])
    case "-i": .inInterface([wildcard(value)])
    case "-o": .outInterface([wildcard(value)])
    case "-d": .destination([value])
    case "--dport", "--dports": ports(value).map { .ports($0) } ?? .unknown
    case "--ctstate", "--state": .state(value.split(separator: ",").map(String.init))
    case "--pkt-type" where value == "multicast", "--dst-type" where value == "MULTICAST": .isMulticast
    default: .unknown
    }
  }

  private static func wildcard(_ name: String) -> String { name.hasSuffix("+") ? name.dropLast() + "*" : name }

  private static func ports(_ text: String) -> [ClosedRange<UInt16>]? {
    let ranges = text.split(separator: ",").map { part -> ClosedRange<UInt16>? in
      let ends = part.split(separator: ":", omittingEmptySubsequences: false).map { UInt16($0) }
      guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil else { return nil }
      return first <= last ? first...last : nil
    }
    return ranges.contains(nil) ? nil : ranges.compactMap(\.self)
  }
}
