/// The rules of a firewall, as far as they are for packets from and to this machine.
struct Ruleset: Hashable, Sendable {
  struct ChainID: Hashable, Sendable {
    /// `ip`, `ip6` or `inet`.
    var family: String
    var table: String
    var chain: String
  }

  enum Hook: String, Hashable, Sendable { case prerouting, input, output, postrouting }

  struct Chain: Hashable, Sendable {
    /// Where the kernel's packets enter it; `nil` where only other chains jump to it.
    var hook: Hook?
    var priority = 0
    var isDroppedAtEnd = false
    var tool = Tool.nft
    var rules: [Rule] = []
  }

  /// The tool by which a chain is mended.
  enum Tool: Hashable, Sendable { case nft, iptables }

  var chains: [ChainID: Chain] = [:]

  /// The chains through which a packet goes, in order.
  func entries(for packet: Packet) -> [ChainID] {
    let hooks: [Hook] = packet.direction == .input ? [.prerouting, .input] : [.output, .postrouting]
    let families = packet.family == .ipv4 ? ["ip", "inet"] : ["ip6", "inet"]
    return hooks.flatMap { hook in
      chains.filter { $0.value.hook == hook && families.contains($0.key.family) }
        .sorted { ($0.value.priority, $0.key.table) < ($1.value.priority, $1.key.table) }.map(\.key)
    }
  }
}
