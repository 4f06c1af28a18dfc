/// Asks the tools of the machine for the rules of its firewall.
enum FirewallReader {
  enum Reading: Hashable, Sendable {
    case rules([Ruleset])
    /// There is none of the tools.
    case noTool
    /// A tool gave no rules: that takes root.
    case unreadable
  }

  /// What a tool of iptables wrote.
  struct Save: Hashable, Sendable {
    var text: String
    /// `ip` for IPv4, `ip6` for IPv6.
    var family: String

    /// Whether the rules are among nft's too: newer versions of iptables keep them there, and say so.
    var isOfNFT: Bool { text.prefix { !$0.isNewline }.contains("(nf_tables)") }
  }

  static func read() async -> Reading {
    var ruleset: Ruleset?
    let nft = Tool.path("nft")
    if let nft {
      guard let text = await Tool.run(nft, ["--json", "list", "ruleset"]) else { return .unreadable }
      ruleset = NFTables.ruleset(text)
    }
    var saves: [Save] = []
    let tools = savingTools()
    for (path, family) in tools {
      if let text = await Tool.run(path, []) { saves.append(Save(text: text, family: family)) }
    }
    guard nft != nil || !tools.isEmpty else { return .noTool }
    let rulesets = combine(ruleset, saves)
    return rulesets.isEmpty ? .unreadable : .rules(rulesets)
  }

  /// What iptables wrote replaces the same chains as nft writes them: nft does not read iptables' own matches. Rules of
  /// older versions are a ruleset of their own.
  static func combine(_ ruleset: Ruleset?, _ saves: [Save]) -> [Ruleset] {
    var (nft, legacy) = (ruleset, Ruleset?.none)
    for save in saves {
      let chains = IPTables.chains(save.text, family: save.family)
      if save.isOfNFT {
        nft = nft ?? Ruleset()
        nft?.chains.merge(chains) { $1 }
      } else {
        legacy = legacy ?? Ruleset()
        legacy?.chains.merge(chains) { $1 }
      }
    }
    return [nft, legacy].compactMap(\.self)
  }

  /// The default tools may be of either version; those of the older one count where the kernel has rules of it.
  private static func savingTools() -> [(path: String, family: String)] {
    [("iptables", "ip"), ("ip6tables", "ip6")].flatMap { name, family in
      let hasLegacy = Files.text("/proc/net/\(name.dropLast("tables".count))_tables_names")?.isEmpty == false
      let names = hasLegacy ? ["\(name)-save", "\(name)-legacy-save"] : ["\(name)-save"]
      return names.compactMap { Tool.path($0) }.map { ($0, family) }
    }
  }

  /// The ports that the kernel gives a sender that names none (ip(7)).
  static func ephemeralPorts() -> ClosedRange<UInt16> {
    let ends = (Files.text("/proc/sys/net/ipv4/ip_local_port_range") ?? "").split(whereSeparator: \.isWhitespace)
      .compactMap { UInt16($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : 32768...60999
  }
}
