extension FaultProfile {
  /// The fifth record of each end is one of its first after it is connected: its VERDICT is at most the fourth.
  private static let connected = 5

  static let onceConnected = [
    FaultProfile(
      "half-open", "One peer drops and the other is not told: for up to a minute, all that the other sends is lost.",
      .reported, [Source.reticulum, Source.pull("douinc/deck", 1)],
      remedy: "Send keep-alives both ways, and make a new session for an invitation of a connected peer.",
      [
        .time(.silence, .seconds(60...60)),
        .bytes(
          ByteFault(
            .cut(after: .seconds(5...10), ends: .fromOpener), from: connected, scope: .connections(1...1))),
        .either([
          [.time(.negotiation, .seconds(60...60)), .bytes(ByteFault(.stall, from: 3, scope: .connections(2...9)))],
          [.bytes(ByteFault(.delay(.seconds(1...3)), from: 3, scope: .connections(2...9)))],
        ]),
      ]),
    FaultProfile(
      "false-drop", "A program is told that a peer is not connected, and data of that peer still arrives.",
      .reported, [Source.muPeer], remedy: "Count received data as a sign of life, or disconnect and begin again.",
      [.state(.droppedFalsely(.browser, after: .seconds(5...10)))]),
    FaultProfile(
      "early-drop", "Data flows for 10 to 20 seconds, and then both peers drop within a second.",
      .reported, [Source.linkUpFixes],
      remedy: "Look at connectedPeers before each send, and reconnect with a growing delay.",
      [
        .time(.silence, .seconds(60...60)),
        .bytes(
          ByteFault(
            .cut(after: .seconds(10...20), ends: .both), from: connected, scope: .connections(1...1))),
      ]),
    FaultProfile(
      "background-drop",
      "A program goes to the background: the other drops and loses it, at once or after 1 to 2 minutes.",
      .documented, [Source.apple, Source.thaliBindings, Source.multipeerKit(29)],
      remedy: "Disconnect when leaving the foreground, and make new objects on return.",
      [
        .time(.silence, .seconds(300...300)),
        .either([
          [.host(.advertiser, .background(after: .seconds(5...10), noticed: .none, returns: .seconds(10...20)))],
          [
            .host(
              .advertiser,
              .background(after: .seconds(5...10), noticed: .seconds(60...120), returns: .seconds(10...20)))
          ],
        ]),
        .discovery(.again(1...3, after: .milliseconds(1...8), apart: .milliseconds(1...4), onReturn: true)),
      ]),
    FaultProfile(
      "bulk-starvation", "While megabytes move in one session, invitations of other peers do not arrive and time out.",
      .reported, [Source.thaliBindings], remedy: "Send in chunks, with pauses and acknowledgements of your own.",
      [
        .bytes(ByteFault(.slow(bytesPerSecond: 128 * 1024), from: connected)), .time(.silence, .seconds(60...60)),
        .invitation(.lostWhileBusy),
      ]),
    FaultProfile(
      "no-backpressure",
      "Sending always succeeds: messages come late and in bursts, and unreliable ones are lost or change order.",
      .documented, [Source.technote, Source.wwdc2013], remedy: "Keep a window of acknowledged messages.",
      [
        .bytes(ByteFault(.bursts(.milliseconds(500...5000)), from: connected)),
        .traffic(.unreliableLost(percent: 10...40)), .traffic(.unreliableSwapped(percent: 5...20)),
      ]),
    FaultProfile(
      "resource-stall", "A resource stops between 10 and 95 percent, and no callback comes until the connection drops.",
      .inferred, [Source.apple], remedy: "Keep a timer for progress, cancel, and send again.",
      [
        .traffic(.resourceStalls(percent: 10...95)), .time(.silence, .seconds(60...60)),
        .bytes(ByteFault(.cut(after: .seconds(25...40), ends: .both), from: connected)),
      ]),
    FaultProfile(
      "wifi-contention", "Advertising and browsing slow all other traffic of the host.",
      .reported, [Source.radar(9514), Source.technote], remedy: "Stop both once connected.",
      [
        .bytes(ByteFault(.jitter(.milliseconds(50...200)), scope: .whileDiscovering)),
        .bytes(ByteFault(.slow(bytesPerSecond: 64 * 1024), scope: .whileDiscovering)),
      ]),
  ]
}
