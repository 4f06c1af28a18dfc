extension FaultProfile {
  static let ofDiscovery = [
    FaultProfile(
      "duplicate-found", "One peer is found two to four times within 20 milliseconds, with or without a loss before.",
      .reported,
      [
        Source.issue("shrtlist/MCSessionP2P", 3), Source.multipeerKit(29), Source.pull("enpitut2019/dj-yusaku", 85),
      ],
      remedy: "Keep a set of peers, and one open invitation for each.",
      [
        .either([
          [
            .host(
              .advertiser,
              .background(after: .seconds(5...8), noticed: .none, returns: .milliseconds(2000...3000))),
            .discovery(.again(1...3, after: .milliseconds(1...8), apart: .milliseconds(1...4), onReturn: true)),
          ],
          [.discovery(.again(1...3, after: .milliseconds(1...8), apart: .milliseconds(1...4)))],
        ])
      ]),
    FaultProfile(
      "ghost-peer",
      "A peer that was started anew is found twice under one name: an invitation to its old identity reaches nobody.",
      .reported, [Source.stackOverflow, Source.thali(1856), Source.thali(1884), Source.wwdc2014],
      remedy:
        "Archive the peer's identity, put a token of your own into discoveryInfo, and wait 2.5 to 5 seconds only.",
      [.discovery(.ghost(isOwn: false))]),
    FaultProfile(
      "self-found", "A browser finds its own program's advertiser of an earlier run.",
      .reported, [Source.stackOverflow], remedy: "Ignore your own identity and your own token.",
      [.discovery(.ghost(isOwn: true))]),
    FaultProfile(
      "silent-loss",
      "A peer disappears without a goodbye: it stays found, and its session connected for up to a minute.",
      .reported, [Source.ymc, Source.thali(1526), Source.apple],
      remedy: "Send heartbeats, and do not take a found peer for a reachable one.",
      [
        .host(.advertiser, .vanishes(after: .seconds(5...10))), .discovery(.lossUnseen),
        .time(.silence, .seconds(30...60)),
      ]),
    FaultProfile(
      "lost-for-good", "A peer is lost though it still advertises, and not found until one of the two begins anew.",
      .reported, [Source.thali(263)],
      remedy: "Restart the advertiser after 30 seconds without an invitation, but not while connecting.",
      [.discovery(.lostWrongly(after: .seconds(3...10), back: nil))]),
    FaultProfile(
      "stale-info", "A peer advertises something else, and the browser keeps what it has read before.",
      .reported, [Source.thaliBindings], remedy: "Send facts that change over the session.", [.discovery(.stale)]),
    FaultProfile(
      "flapping", "A peer is found and lost in turn every 2 to 5 seconds, and its session drops in between.",
      .reported, [Source.issue("jsclayton/swatches", 1), Source.issue("shrtlist/MCSessionP2P", 3)],
      remedy: "Act on a loss only after 3 to 5 seconds.",
      [
        .discovery(.flapping(.seconds(2...5))),
        .bytes(ByteFault(.cut(after: .seconds(3...8), ends: .both), from: 5)),
      ]),
    FaultProfile(
      "info-too-big", "discoveryInfo is too long: no browser finds the peer, or the advertiser ends its program.",
      .reported, [Source.radar(13249), Source.wwdc2014], remedy: "Have one short token in discoveryInfo.",
      [.either([[.discovery(.never)], [.program(.advertiser, .infoTooBig)]])]),
    FaultProfile(
      "name-too-long", "A device's name of more than 63 bytes ends the program.",
      .documented, [Source.apple], remedy: "Shorten the name at the end of a character.",
      [.program(.advertiser, .nameTooLong)]),
    FaultProfile(
      "local-network-denied", "A host may not use the local network, and says so with an error or not at all.",
      .reported, [Source.issue("fitomad/NearbyInteraction-Guide", 2), Source.multipeerKit(11), Source.dnssd],
      remedy: "Implement both didNotStart methods, and tell the person which setting to change.",
      [
        .either([
          [.discovery(.refused(code: -72008, .advertiser))], [.discovery(.refused(code: -65570, .advertiser))],
          [.discovery(.refused(code: -65555, .advertiser))], [.discovery(.refused(code: nil, .advertiser))],
        ])
      ]),
  ]
}
