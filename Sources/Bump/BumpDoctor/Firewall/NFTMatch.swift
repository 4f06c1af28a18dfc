/// Parses a match of nft into conditions.
enum NFTMatch {
  /// Returns the conditions of a match, after those that it implies: `tcp dport != 22` applies to TCP only, and nft's
  /// output does not say so again.
  static func conditions(_ left: JSON, _ values: [JSON], isNegated: Bool = false) -> [Condition] {
    let header = left["payload"]?["protocol"]?.string
    return (header.map(granted) ?? []) + [Condition(subject: subject(left, values), isNegated: isNegated)]
  }

  private static func granted(_ header: String) -> [Condition] {
    switch header {
    case "ip": [Condition(subject: .family([.ipv4]))]
    case "ip6": [Condition(subject: .family([.ipv6]))]
    case "th": []
    default: [Condition(subject: .transport([header]))]
    }
  }

  private static func subject(_ left: JSON, _ values: [JSON]) -> Condition.Subject {
    if let key = left["meta"]?["key"]?.string { return meta(key, values) }
    if left["ct"]?["key"]?.string == "state" { return texts(values).map { .state($0) } ?? .unknown }
    switch left["payload"]?["field"]?.string {
    case "dport": return ports(values).map { .ports($0) } ?? .unknown
    case "protocol", "nexthdr": return texts(values).map { .transport($0.map(transport)) } ?? .unknown
    case "daddr": return addresses(values).map { .destination($0) } ?? .unknown
    default: return .unknown
    }
  }

  private static func meta(_ key: String, _ values: [JSON]) -> Condition.Subject {
    guard let texts = texts(values) else { return .unknown }
    switch key {
    case "iifname", "iif": return .inInterface(texts)
    case "oifname", "oif": return .outInterface(texts)
    case "l4proto": return .transport(texts.map(transport))
    case "protocol", "nfproto": return .family(texts.compactMap(family))
    case "pkttype" where texts == ["multicast"]: return .isMulticast
    default: return .unknown
    }
  }

  private static func texts(_ values: [JSON]) -> [String]? {
    let texts = values.map { value in value.string ?? value.integer.map(String.init) }
    // A name with @ is a named set, whose elements are not read.
    guard texts.allSatisfy({ $0 != nil && $0?.hasPrefix("@") == false }) else { return nil }
    return texts.compactMap(\.self)
  }

  private static func addresses(_ values: [JSON]) -> [String]? {
    let texts = values.map { value -> String? in
      guard let prefix = value["prefix"] else { return value.string }
      guard let address = prefix["addr"]?.string, let length = prefix["len"]?.integer else { return nil }
      return "\(address)/\(length)"
    }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  private static func ports(_ values: [JSON]) -> [ClosedRange<UInt16>]? {
    let ranges = values.map { value -> ClosedRange<UInt16>? in
      let ends = (value["range"]?.elements ?? [value, value]).compactMap(\.integer).compactMap(UInt16.init(exactly:))
      guard ends.count == 2, ends[0] <= ends[1] else { return nil }
      return ends[0]...ends[1]
    }
    return ranges.contains(nil) ? nil : ranges.compactMap(\.self)
  }

  private static func transport(_ text: String) -> String { ["6": "tcp", "17": "udp"][text] ?? text }

  private static func family(_ text: String) -> Packet.Family? {
    ["ip": .ipv4, "ipv4": .ipv4, "2": .ipv4, "ip6": .ipv6, "ipv6": .ipv6, "10": .ipv6][text]
  }
}
