/// The rules of a firewall for packets from and to this machine.
struct Ruleset: Hashable, Sendable {
  struct ChainID: Hashable, Sendable {
    /// `ip`, `ip6` or `inet`.
    var family: String
    var table: String
    var chain: String
  }

  enum Hook: String, Hashable, Sendable { case prerouting, input, output, postrouting }

  struct Chain: Hashable, Sendable {
    /// The hook at which the kernel calls the chain; `nil` if only other chains jump to it.
    var hook: Hook?
    var priority = 0
    var isDroppedAtEnd = false
    var tool = Tool.nft
    var rules: [Rule] = []
  }

  /// The tool that changes a chain.
  enum Tool: Hashable, Sendable { case nft, iptables }

  var chains: [ChainID: Chain] = [:]

  /// Returns the chains that the kernel calls for a packet, in order.
  func entries(for packet: Packet) -> [ChainID] {
    let hooks: [Hook] = packet.direction == .input ? [.prerouting, .input] : [.output, .postrouting]
    let families = packet.family == .ipv4 ? ["ip", "inet"] : ["ip6", "inet"]
    return hooks.flatMap { hook in
      chains.filter { $0.value.hook == hook && families.contains($0.key.family) }
        .sorted { ($0.value.priority, $0.key.table) < ($1.value.priority, $1.key.table) }.map(\.key)
    }
  }
}
