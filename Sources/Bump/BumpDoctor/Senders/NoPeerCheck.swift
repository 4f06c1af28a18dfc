import BumpDiscovery
import BumpWire
import NIOCore

/// Explains why no sender is in sight, or no receiver is heard, as far as one machine can know.
enum NoPeerCheck {
  /// What is known about the link of one interface.
  struct Link: Hashable, Sendable {
    var interface: Interface
    var echoResults: [MulticastGroup: MulticastEcho.EchoResult] = [:]
    var neighbours: LinkNeighbours
    /// The neighbours that list a sender in answer to a unicast question.
    var direct: [String] = []

    /// The machines whose multicast DNS was received.
    var respondingHosts: Set<MulticastEcho.RespondingHost> {
      echoResults.values.reduce(into: []) { $0.formUnion($1.respondingHosts) }
    }

    /// A sender that was heard in a family for which the interface has no address.
    var foreign: (group: MulticastGroup, address: String)? {
      for group in MulticastGroup.allCases where interface.addresses(of: group).isEmpty {
        if let respondingHost = echoResults[group]?.respondingHosts.first(where: \.isSender) {
          return (group, respondingHost.address)
        }
      }
      return nil
    }
  }

  /// The greatest number of neighbours to ask: more than a home has.
  static let maximumNeighbours = 32

  static func gather(
    _ interface: Interface, _ echoResults: [MulticastGroup: MulticastEcho.EchoResult], own: Set<String>,
    ask: @escaping @Sendable (SocketAddress) async -> [UInt8]?
  ) async -> Link {
    let answer = { @Sendable (text: String) async -> String? in
      let zone = text.hasPrefix("fe80:") ? "%\(interface.index)" : ""
      guard let address = try? SocketAddress(ipAddress: text + zone, port: Int(MulticastGroup.port)) else { return nil }
      return await ask(address) == nil ? nil : text
    }
    let neighbours = await LinkNeighbours.gather(interface, own: own) { _ = await answer($0) }
    var link = Link(interface: interface, echoResults: echoResults, neighbours: neighbours)
    let everybody = neighbours.others.union(neighbours.former).union(neighbours.routers).sorted().prefix(
      maximumNeighbours)
    link.direct = await withTaskGroup(of: String?.self) { group in
      for text in everybody { group.addTask { await answer(text) } }
      return await group.reduce(into: []) { if let text = $1 { $0.append(text) } }.sorted()
    }
    return link
  }

  /// Names the likeliest cause.
  ///
  /// - Parameters:
  ///   - networks: the networks of this machine.
  ///   - isSending: whether a sender of this machine is in sight, so that a receiver is missing.
  /// - Returns: one finding. `nil` if this machine sends and hears another one on its networks: it would hear a
  ///   receiver in the same way.
  static func judge(_ links: [Link], on networks: LocalNetworks, isSending: Bool) -> Finding? {
    let missing: Missing = isSending ? .receiver : .sender
    for link in links {
      if let (group, address) = link.foreign { return onlyOther(link.interface, group, address) }
    }
    for link in links where !link.direct.isEmpty { return unheard(link) }
    let respondingHosts = links.flatMap(\.respondingHosts).map(\.address)
    guard respondingHosts.isEmpty else {
      guard respondingHosts.contains(where: { isOnLink($0, links, networks) }) else {
        return elsewhere(links, Set(respondingHosts), missing)
      }
      return isSending ? nil : silent(Set(respondingHosts))
    }
    let others = links.flatMap(\.neighbours.others)
    guard others.isEmpty else { return quiet(links, Set(others), missing) }
    return alone(links, missing)
  }

  /// Returns whether an address without a zone is on a network of one of the interfaces.
  private static func isOnLink(_ text: String, _ links: [Link], _ networks: LocalNetworks) -> Bool {
    guard let bytes = (try? SocketAddress(ipAddress: text, port: 0))?.packedIPAddress else { return false }
    // An interface with any IPv6 address has a link-local one.
    return LocalNetworks.isLinkLocal(bytes)
      ? links.contains { !$0.interface.ipv6.isEmpty } : networks.isOnLink(bytes)
  }

  /// The kind of peer that is missing, in the words of the findings.
  private struct Missing {
    /// The beginning of the finding.
    let what: String
    let cause: String
    let remedy: String

    static let sender = Missing(
      what: "no sender is in sight", cause: "nobody sends just now",
      remedy:
        "run `bump send 1.00 --port 4000` on the other machine, and here `bump doctor --peer ITS-ADDRESS:4000` meanwhile"
    )
    static let receiver = Missing(
      what: "no receiver is heard", cause: "nobody receives just now",
      remedy: "run `bump receive` on the other machine, and this again meanwhile")
  }

  private static func onlyOther(_ interface: Interface, _ group: MulticastGroup, _ address: String) -> Finding {
    let (theirs, ours) = group == .ipv4 ? ("IPv4", "IPv6") : ("IPv6", "IPv4")
    let name = interface.name
    return .problem(
      .senders, "a sender at \(address) is heard over \(theirs), and \(name) has no \(theirs) address",
      cause: "that machine is reached over \(theirs) only, this one over \(ours) only",
      remedy: "give both addresses of one family: "
        + (group == .ipv4
          ? "\(name) an IPv4 address, or that machine IPv6" : "\(name) IPv6, or that machine an IPv4 address"))
  }

  private static func unheard(_ link: Link) -> Finding {
    let address =
      link.direct[0].contains(":")
      ? "[\(link.direct[0])\(link.direct[0].hasPrefix("fe80:") ? "%\(link.interface.name)" : "")]" : link.direct[0]
    return .problem(
      .senders,
      "a sender at \(link.direct[0]) answers a direct query, but its multicast DNS does not arrive",
      cause: "a device between the two drops multicast DNS: a switch, a Wi-Fi, or a firewall on that machine",
      remedy:
        "run `bump doctor` there, which names a firewall of that machine; else turn multicast on in the switch or Wi-Fi "
        + "(IGMP snooping and filters off). Until then, with the port that the sender was given: "
        + "bump receive --peer \(address):PORT")
  }

  private static func silent(_ respondingHosts: Set<String>) -> Finding {
    .note(
      .senders, "no sender is in sight, though multicast DNS from \(some(respondingHosts)) arrives",
      cause: "nobody sends just now",
      remedy: "run `bump send 1.00` on the other machine, and this again meanwhile")
  }

  private static func elsewhere(_ links: [Link], _ respondingHosts: Set<String>, _ missing: Missing) -> Finding {
    let (names, own) = (links.map(\.interface.name), links.flatMap(\.interface.addresses))
    return .note(
      .senders,
      "\(missing.what), and multicast DNS arrives from \(some(respondingHosts)) alone, which is in no network of "
        + "\(names.joinedInProse) (\(own.joined(separator: ", ")))",
      cause:
        "\(missing.cause), or the two machines are on one cable or Wi-Fi, but in different subnets, or have addresses "
        + "of different families",
      remedy: "give both addresses of one subnet, as one DHCP server does")
  }

  private static func quiet(_ links: [Link], _ others: Set<String>, _ missing: Missing) -> Finding {
    .note(
      .senders, "\(missing.what), nor any multicast DNS from others, though there is \(some(others)) on the link",
      cause: "\(missing.cause), or a switch, a Wi-Fi or a firewall on the other machine drops multicast DNS, or the "
        + "network keeps its guests apart" + gap(links),
      remedy: missing.remedy)
  }

  private static func alone(_ links: [Link], _ missing: Missing) -> Finding {
    let routers = Set(links.flatMap(\.neighbours.routers))
    let besides = routers.isEmpty ? "" : " besides the router \(some(routers))"
    let former = Set(links.flatMap(\.neighbours.former))
    let earlier = former.isEmpty ? "" : "; \(some(former)) \(former.count == 1 ? "was" : "were") there earlier"
    return .note(
      .senders, "\(missing.what), and nobody on the link\(besides), as far as can be told\(earlier)",
      cause: "nobody is there, or the network keeps its guests apart (client isolation)" + twin(links) + gap(links),
      remedy: "\(missing.remedy). If that fails too, join both to another network, such as a phone's hotspot")
  }

  /// Returns a part of a cause: another machine may have the only address of this one. Then neither receives a packet
  /// of the other (RFC 5227).
  private static func twin(_ links: [Link]) -> String {
    let addresses = links.map(\.interface).filter(\.ipv6.isEmpty).flatMap(\.ipv4)
    return addresses.isEmpty
      ? ""
      : ", or the other machine has the address \(addresses.joined(separator: " or ")) too: compare `ip address` there"
  }

  /// Returns a part of a cause: the address family that this machine lacks.
  private static func gap(_ links: [Link]) -> String {
    let interfaces = links.map(\.interface)
    guard !interfaces.isEmpty else { return "" }
    if interfaces.allSatisfy(\.ipv6.isEmpty) { return ", or the other machine has IPv6 only, which this one has not" }
    if interfaces.allSatisfy(\.ipv4.isEmpty) { return ", or the other machine has IPv4 only, which this one has not" }
    return ""
  }

  private static func some(_ addresses: Set<String>) -> String {
    let shown = addresses.sorted().prefix(3)
    let more = addresses.count - shown.count
    return (Array(shown) + (more > 0 ? ["\(more) more"] : [])).joinedInProse
  }
}
