/// Writes the command that lets a packet through, for the program that manages the firewall. That program would undo
/// changes made by other means.
enum FirewallRemedy {
  static func words(for packet: Packet, at place: PacketTrace.DropPoint, in ruleset: Ruleset) -> String {
    let isFixed = packet.ports.count == 1
    let port = isFixed ? "\(packet.ports.lowerBound)" : "4000"
    let service = packet.transport == .udp ? "5353/udp" : "\(port)/tcp"
    let command: String
    if ruleset.chains.keys.contains(where: { $0.chain.hasPrefix("ufw-") || $0.chain.hasPrefix("ufw6-") }) {
      command = "sudo ufw allow \(packet.direction == .output ? "out " : "")\(service)"
    } else if ruleset.chains.keys.contains(where: { $0.table == "firewalld" }) {
      command = "sudo firewall-cmd \(packet.transport == .udp ? "--add-service=mdns" : "--add-port=\(service)")"
    } else {
      command = insertion(packet, port, at: place, ruleset.chains[place.entry]?.tool ?? .nft)
    }
    return isFixed ? command : "send with a fixed port, as in `bump send 1.00 --port \(port)`, and open it: \(command)"
  }

  /// Returns a command that inserts a rule at the head of the packet's base chain, where it decides before all others.
  private static func insertion(
    _ packet: Packet, _ port: String, at place: PacketTrace.DropPoint, _ tool: Ruleset.Tool
  ) -> String {
    let (transport, entry) = (packet.transport.rawValue, place.entry)
    switch tool {
    case .nft:
      return "sudo nft insert rule \(entry.family) \(entry.table) \(entry.chain) \(transport) dport \(port) accept"
    case .iptables:
      let program = entry.family == "ip" ? "iptables" : "ip6tables"
      let table = entry.table == "filter" ? "" : "-t \(entry.table) "
      return "sudo \(program) \(table)-I \(entry.chain) -p \(transport) --dport \(port) -j ACCEPT"
    }
  }
}
