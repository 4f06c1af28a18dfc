extension FaultProfile {
  /// The third record of each end is its first after the acceptance, TERMS; between members it is VERDICT.
  private static let terms = 3

  static let whileConnecting = [
    FaultProfile(
      "slow-link", "The direct link comes up only 10 to 20 seconds after the acceptance, and sooner the next time.",
      .reported, [Source.pull("security-union/remote-shutter", 181), Source.thread(810_980)],
      remedy: "Wait 20 to 30 seconds for an answer, and retry once, with a new session.",
      [
        .time(.negotiation, .seconds(30...30)), .time(.silence, .seconds(30...30)),
        .bytes(ByteFault(.delay(.seconds(10...20)), from: terms, scope: .connections(1...1))),
        .bytes(ByteFault(.delay(.seconds(1...3)), from: terms, scope: .connections(2...9))),
      ]),
    FaultProfile(
      "connecting-stall",
      "Both peers stay in connecting without a certificate callback, and drop after 10 to 11 seconds without an error.",
      .reported, [Source.thali(1850), Source.radar(15571), Source.linkUpImprovements, Source.thread(803_339)],
      remedy: """
        Take three seconds without a certificate callback for a warning. After two failures make a new session, \
        advertiser and browser, and wait 5 to 16 seconds between attempts.
        """,
      [
        .time(.negotiation, .milliseconds(10_000...11_000)), .time(.silence, .seconds(30...30)),
        .bytes(ByteFault(.stall, from: terms, percent: 50...95)),
      ]),
    FaultProfile(
      "mutual-invite",
      "Both peers invite each other within a second, and the connections that cross are lost or hang.",
      .reported, [Source.plashless, Source.reticulum, Source.linkUpFailure, Source.wwdc2014],
      remedy: "Compare identities, so that one peer invites. The other invites after four seconds.",
      [
        .discovery(.late(.milliseconds(0...900))), .program(.both, .slow(.milliseconds(900...1000))),
        .either([
          [.bytes(ByteFault(.cut(after: .milliseconds(0...2000), ends: .both), from: 5))],
          [.bytes(ByteFault(.cut(after: .milliseconds(0...2000), ends: .fromOpener), from: 5))],
          [.bytes(ByteFault(.stall, from: terms, scope: .connections(1...2)))],
        ]),
      ]),
    FaultProfile(
      "wedged-session", "A session that was used before stays in connecting, and drops after 10 seconds, every time.",
      .reported,
      [
        Source.pull("security-union/remote-shutter", 181), Source.pull("douinc/deck", 1), Source.linkUpImprovements,
      ],
      remedy: "Make a new session for each attempt, but never while another peer is connecting.",
      [
        .time(.negotiation, .seconds(10...10)), .time(.silence, .seconds(30...30)),
        .bytes(ByteFault(.stall, from: terms, scope: .usedSessions)),
      ]),
    FaultProfile(
      "encryption-mismatch",
      "One session requires encryption and the other has none: both stay in connecting, and drop without an error.",
      .documented, [Source.wwdc2013], remedy: "Use the same encryption preference everywhere.",
      [
        .program(.advertiser, .noEncryption),
        .bytes(ByteFault(.delay(.milliseconds(200...9900)), from: terms)),
      ]),
    FaultProfile(
      "certificate-unanswered",
      "A program does not answer about a certificate, or refuses it: both peers drop, after 10 seconds or at once.",
      .documented, [Source.apple, Source.bindings], remedy: "Call the certificate handler on every path.",
      [
        .time(.silence, .seconds(30...30)),
        .either([[.program(.advertiser, .certificateUnanswered)], [.program(.advertiser, .certificateRefused)]]),
      ]),
    FaultProfile(
      "late-accept", "The invited program accepts after the inviting one has given up.",
      .inferred, [Source.pull("boostcampwm-2024/iOS09-BeStory", 30), Source.thali(1947)],
      remedy: "Put the expiry into the invitation's context, and withdraw the question when it passes.",
      [
        .time(.silence, .seconds(60...60)), .invitation(.answeredLate(.seconds(6...9))),
        .either([
          [.bytes(ByteFault(.stall, way: .fromOpener, from: terms))], [.invitation(.timesOutFalsely)],
        ]),
      ]),
    FaultProfile(
      "ninth-peer", "A session of eight peers accepts one more: the newcomer and its inviter drop.",
      .documented, [Source.apple, Source.pull("enpitut2019/dj-yusaku", 117)],
      remedy: "Decline when seven remote peers are connected.", [.program(.advertiser, .isFull)]),
    FaultProfile(
      "tie-break-deadlock",
      "Both programs compare hashes that differ in each process, and both wait to be invited.",
      .reported, [Source.linkUpFixes], remedy: "Compare the names themselves, or the identities.",
      [.program(.both, .waits)]),
  ]
}
