/// Parses the output of `nft --json list ruleset` (libnftables-json(5)).
///
/// A statement that is not supported becomes an unknown condition. The finding then says that the firewall may drop a
/// packet.
enum NFTables {
  /// Parses the output; `nil` for any other text.
  static func ruleset(_ text: String) -> Ruleset? {
    guard let objects = JSON(text: text)?["nftables"]?.elements else { return nil }
    var ruleset = Ruleset()
    for object in objects {
      if let chain = object["chain"], let id = id(chain, "name") { ruleset.chains[id] = self.chain(chain) }
      if let rule = object["rule"], let id = id(rule, "chain") {
        ruleset.chains[id, default: .init()].rules += rules(rule["expr"]?.elements ?? [])
      }
    }
    return ruleset
  }

  private static func id(_ object: JSON, _ key: String) -> Ruleset.ChainID? {
    guard
      let family = object["family"]?.string, ["ip", "ip6", "inet"].contains(family),
      let table = object["table"]?.string, let chain = object[key]?.string
    else { return nil }
    return Ruleset.ChainID(family: family, table: table, chain: chain)
  }

  private static func chain(_ object: JSON) -> Ruleset.Chain {
    // Chains that translate addresses drop nothing.
    guard object["type"]?.string != "nat" else { return .init() }
    return .init(
      hook: object["hook"]?.string.flatMap(Ruleset.Hook.init), priority: object["prio"]?.integer ?? 0,
      isDroppedAtEnd: object["policy"]?.string == "drop")
  }

  /// Returns an nft rule as one rule, or as several if it looks its verdict up in a map.
  private static func rules(_ statements: [JSON]) -> [Rule] {
    var conditions: [Condition] = []
    for statement in statements {
      guard case .object(let pair) = statement, let (name, value) = pair.first else { continue }
      switch name {
      case "match": conditions += match(value)
      case "vmap": return mapped(value, conditions)
      // These statements count, log or change packets, and let them go on.
      case "counter", "log", "mangle", "notrack", "comment": continue
      default:
        if let verdict = verdict(statement) { return [Rule(conditions: conditions, verdict: verdict)] }
        conditions.append(Condition(subject: .unknown))
      }
    }
    return [Rule(conditions: conditions, verdict: .none)]
  }

  private static func verdict(_ statement: JSON) -> Rule.Verdict? {
    guard case .object(let pair) = statement, let (name, value) = pair.first else { return nil }
    switch name {
    case "accept": return .accept
    case "drop", "reject": return .drop
    case "return": return .leave
    case "continue": return Rule.Verdict.none
    case "jump": return value["target"]?.string.map { .jump($0) }
    case "goto": return value["target"]?.string.map { .goto($0) }
    case "queue": return .unknown
    // A target of iptables.
    case "xt" where value["type"]?.string == "target": return IPTablesRule.verdict(value["name"]?.string ?? "")
    default: return nil
    }
  }

  /// Returns one rule per pair of a map such as `ct state vmap { established : accept, invalid : drop }`. Named maps
  /// are not read.
  private static func mapped(_ map: JSON, _ conditions: [Condition]) -> [Rule] {
    guard let key = map["key"], let pairs = map["data"]?["set"]?.elements else {
      return [Rule(conditions: conditions, verdict: .unknown)]
    }
    return pairs.map { pair in
      guard pair.elements.count == 2, let verdict = verdict(pair.elements[1]) else {
        return Rule(conditions: conditions, verdict: .unknown)
      }
      return Rule(conditions: conditions + NFTMatch.conditions(key, [pair.elements[0]]), verdict: verdict)
    }
  }

  private static func match(_ match: JSON) -> [Condition] {
    guard let left = match["left"], let right = match["right"], let operation = match["op"]?.string,
      ["==", "!=", "in"].contains(operation)
    else { return [Condition(subject: .unknown)] }
    let values = right["set"]?.elements ?? (right.elements.isEmpty ? [right] : right.elements)
    return NFTMatch.conditions(left, values, isNegated: operation == "!=")
  }
}
