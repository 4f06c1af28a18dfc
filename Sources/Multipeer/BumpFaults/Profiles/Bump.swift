extension FaultProfile {
  private static let protocolPage = "Docs/protocol.md"
  private static let threats = "Docs/threat-model.md"

  /// A change of the record of CLAIM. OFFER and CLAIM are the sender's only records of 100 bytes or more, whether it has
  /// a code, asks its person or remembers.
  private static func ofClaim(_ effect: ByteFault.Effect) -> Fault {
    .bytes(ByteFault(effect, way: .toOpener, from: 2, ofAtLeast: 100))
  }

  static let ofBump = [
    FaultProfile(
      "tampered-mac", "Somebody in the middle flips a bit in the authentication tag of the claim's record.",
      wire: .bump,
      .documented, [threats, protocolPage],
      remedy: "Nothing: the receiver rejects it, and the sender says that it is unknown whether the claim arrived.",
      [ofClaim(.alter())]),
    FaultProfile(
      "replay", "Somebody in the middle sends the claim's record a second time.", wire: .bump,
      .documented, [threats, protocolPage],
      remedy: "Nothing: the claim is stored once. The sender says that it is unknown whether it arrived.",
      [ofClaim(.again)]),
    FaultProfile(
      "cut-after-claim", "The connection ends when the claim has arrived, and its receipt has not.", wire: .bump,
      .documented, [protocolPage, "Docs/store.md"],
      remedy: "Ask at the receiver whether the claim is there, and settle it with `bump settle CLAIMID`.",
      [ofClaim(.cut(after: .none, ends: .both))]),
    FaultProfile(
      "slow-receiver", "The person at the receiver takes 5 to 70 seconds to decide.", wire: .bump,
      .inferred, [protocolPage], remedy: "Wait: the receiver asks for time, up to a minute.",
      [.program(.browser, .slow(.seconds(5...70)))]),
    FaultProfile(
      "duplicate-instance", "The sender is found twice, and one of the entries leads nowhere.", wire: .bump,
      .inferred, ["RFC 6763 §4.3", "RFC 6762 §10.2"], remedy: "Nothing: the receiver tries both.",
      [.host(.advertiser, .secondEntry)]),
    FaultProfile(
      "no-bonjour", "A host has no discovery: neither a daemon nor multicast.", wire: .bump,
      .inferred, ["RFC 6762 §3"],
      remedy: "Use `--peer HOST:PORT`, or the link that the sender shows.",
      [.either([[.host(.both, .noDiscovery)], [.host(.advertiser, .noDiscovery)], [.host(.browser, .noDiscovery)]])]),
    FaultProfile(
      "packet-loss", "The network loses 10 to 40 percent of the packets, and TCP sends them again later.", wire: .bump,
      .inferred, ["RFC 6298 §5"], remedy: "Nothing, up to a point: a claim takes longer, or falls back to its link.",
      [.bytes(ByteFault(.retransmit(percent: 10...40)))]),
  ]
}
