/// Reads the rules of this machine's firewall by nft and iptables-save.
enum FirewallReader {
  enum Reading: Hashable, Sendable {
    case rules([Ruleset])
    /// Neither tool is installed.
    case noTool
    /// A tool failed: it needs root. Rules that it did not show may drop everything.
    case unreadable
  }

  /// The output of iptables-save or ip6tables-save.
  struct Save: Hashable, Sendable {
    var text: String
    /// `ip` for IPv4, `ip6` for IPv6.
    var family: String

    /// Whether nft lists the same rules: newer versions of iptables are based on nftables, and say so in the first
    /// line.
    var isOfNFT: Bool { text.prefix { !$0.isNewline }.contains("(nf_tables)") }
  }

  /// - Parameters:
  ///   - path: returns the path of a tool; `nil` if it is not installed.
  ///   - run: returns the output of a tool; `nil` if it failed.
  static func read(
    path: (String) -> String? = { Tool.path($0) },
    run: (String, [String]) async -> String? = { await Tool.run($0, $1) }
  ) async -> Reading {
    var ruleset: Ruleset?
    let nft = path("nft")
    if let nft {
      guard let text = await run(nft, ["--json", "list", "ruleset"]) else { return .unreadable }
      ruleset = NFTables.ruleset(text)
    }
    var saves: [Save] = []
    let tools = savingTools(path)
    for (tool, family) in tools {
      guard let text = await run(tool, []) else { return .unreadable }
      saves.append(Save(text: text, family: family))
    }
    guard nft != nil || !tools.isEmpty else { return .noTool }
    let rulesets = combine(ruleset, saves)
    return rulesets.isEmpty ? .unreadable : .rules(rulesets)
  }

  /// Combines the output of nft and iptables. A chain that iptables prints replaces the same chain in nft's output,
  /// since nft does not show iptables' own matches. The rules of legacy iptables become a ruleset of their own.
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

  /// Returns the programs to run. The default ones may be of either version; the legacy ones are added if the kernel
  /// has legacy rules.
  private static func savingTools(_ path: (String) -> String?) -> [(path: String, family: String)] {
    [("iptables", "ip"), ("ip6tables", "ip6")].flatMap { name, family in
      let hasLegacy = Files.text("/proc/net/\(name.dropLast("tables".count))_tables_names")?.isEmpty == false
      let names = hasLegacy ? ["\(name)-save", "\(name)-legacy-save"] : ["\(name)-save"]
      return names.compactMap(path).map { ($0, family) }
    }
  }

  /// Returns the ports that the kernel assigns to a sender without a fixed port (ip(7)).
  static func ephemeralPorts() -> ClosedRange<UInt16> {
    let ends = (Files.text("/proc/sys/net/ipv4/ip_local_port_range") ?? "").split(whereSeparator: \.isWhitespace)
      .compactMap { UInt16($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : 32768...60999
  }
}
