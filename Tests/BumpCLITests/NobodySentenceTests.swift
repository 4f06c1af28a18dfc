import BumpClaims
import BumpDiscovery
import BumpKit
import BumpTerminal
import BumpWire
import Testing

@testable import BumpCLI
@testable import BumpStore

/// What a receiver reads to whom no sender came.
@Suite struct NobodySentenceTests {
  private static let alice = "alice-0123456789abcdef"
  private static let address = "192.0.2.7:4000"
  private static let firewall =
    #""alice" was found at 192.0.2.7:4000, but does not answer: a firewall there may drop the packets"#
  private static let doctor = "`bump doctor` looks for the cause"

  private func report(isSimulated: Bool = false) -> ReceiveReport {
    ReceiveReport(
      console: Console(quiet: true), json: JSONLines(false, isSimulated: isSimulated), showSecret: false)
  }

  private func found(_ reason: FailedPeer.Reason, mode: Mode = .open, channel: Int? = nil) -> FailedPeer {
    FailedPeer(name: Self.alice, address: Self.address, mode: mode, channel: channel, reason: reason)
  }

  @Test(arguments: [nil, "alice"])
  func `a sender that does not answer is said not to, whether it was named or not`(from: String?) {
    var report = report()
    report.from = from
    #expect(report.lack([found(.connectTimedOut)]) == "\(Self.firewall). \(Self.doctor)")
  }

  @Test func `a named sender of which nothing was in sight was not found`() throws {
    var report = report()
    report.from = "alice"
    let absence = "alice was not found in time. `bump browse` lists the senders nearby"
    #expect(report.lack([]) == absence)
    report.code = try OneTimeCode("27-482915")
    #expect(report.lack([]) == absence)
  }

  @Test func `of a code's channel nobody was found, or somebody who was not reached`() throws {
    var report = report()
    report.mode = .code
    report.code = try OneTimeCode("27-482915")
    let nobody = "a sender whose code begins with 27 was not found in time"
    #expect(report.lack([]) == "\(nobody). `bump browse` lists the senders nearby")
    let other = found(.passedOver, mode: .code, channel: 28)
    #expect(
      report.lack([other])
        == #"\#(nobody): "alice" is here, 192.0.2.7:4000, but its code begins with 28. `bump browse` lists the senders nearby"#
    )
    #expect(
      report.lack([found(.connectTimedOut, mode: .code, channel: 27), other]).hasPrefix(
        "a sender whose code begins with 27 was not reached in time: \(Self.firewall); "))
    #expect(report.lack([found(.connectTimedOut, mode: .code, channel: 27)]).hasSuffix(Self.doctor))
  }

  @Test(
    arguments: [
      (.auto, false, ". \(doctor)"), (.embedded, false, ". \(doctor)"),
      // The error before it names the command that starts a daemon.
      (.daemon, false, ". `--discovery embedded` needs no daemon"),
      (.daemon, true, ""), (.auto, true, ""),
    ] as [(DiscoveryOptions.Backend, Bool, String)])
  func `where discovery has failed the next step is one that nobody has named yet, and none in a simulation`(
    backend: DiscoveryOptions.Backend, isSimulated: Bool, remedy: String
  ) {
    var report = report(isSimulated: isSimulated)
    report.discovery = backend
    #expect(report.why(.discoveryUnavailable, []) == "nobody can be found without discovery\(remedy)")
  }

  @Test(arguments: [DiscoveryOptions.Backend.daemon, .auto])
  func `a sender whose daemon does not answer reads what needs none`(backend: DiscoveryOptions.Backend) throws {
    var sending = SendReport(
      claim: try OutgoingClaim.sample(), credential: .none, qr: .auto, console: Console(quiet: true),
      json: JSONLines(false))
    sending.discovery = backend
    let remedy = backend == .daemon ? " `--discovery embedded` needs no daemon." : ""
    let words = "No receiver can find this sender: discovery is not available."
    #expect(sending.why(.discoveryUnavailable, [], besides: .init()) == words + remedy)

    let events = SendEvents(mode: .open, console: Console(quiet: true), json: JSONLines(false))
    let document = try DocumentArgument.link("https://example.org/")
    let handing = DocumentReport(document: document, mode: .open, events: events, discovery: backend)
    let end = backend == .daemon ? ". `--discovery embedded` needs no daemon" : ""
    #expect(handing.why(.discoveryUnavailable, [], besides: .init()) == "nobody can be found without discovery" + end)
  }

  @Test func `the plan of a simulation is the cause, so that no doctor looks for another one`() {
    let report = report(isSimulated: true)
    #expect(report.lack([found(.connectTimedOut)]) == Self.firewall)
    #expect(!report.lack([]).contains("doctor"))
  }

  @Test func `a named sender that requires a key is said to, with how the two meet again`() {
    var report = report()
    report.from = "alice"
    let words = report.lack([found(.passedOver, mode: .key)])
    #expect(words.contains("requires a key") && words.contains("bump key forget"), "\(words)")
  }

  @Test(
    arguments: [
      (59, "59 seconds"), (60, "1 minute"), (86_402, "1 day"), (172_800, "2 days"),
    ] as [(Int64, String)])
  func `an offer that came too late is said to have, with the time in its largest unit`(seconds: Int64, span: String) {
    let words = "The offer of 192.0.2.7 had expired \(span) ago by the clock here, so one of the two clocks is wrong."
    #expect(ReceiveReport.lateOffer(of: "192.0.2.7", seconds) == "\(words) Compare `date -u` on both machines.")
  }

  @Test(
    arguments: [
      (.mute, "192.0.2.7:4000 takes the connection, but sends no answer"),
      (.refused, "192.0.2.7:4000 refuses the connection: no sender listens there, or a firewall rejects it"),
      (.unreachable, "no machine was reached at 192.0.2.7:4000, or this machine has no route to it"),
      (.connectTimedOut, "192.0.2.7:4000 does not answer: no machine is there, or a firewall drops the packets"),
      (nil, "192.0.2.7:4000 was not reached in time"),
    ] as [(FailedPeer.Reason?, String)])
  func `of a sender's address is said how far bump came`(reason: FailedPeer.Reason?, words: String) {
    var report = report()
    report.peer = Endpoint(Self.address)
    let found = reason.map { [FailedPeer(address: Self.address, reason: $0)] } ?? []
    #expect(report.lack(found) == "\(words). `bump doctor --peer \(Self.address)` tells why")
  }
}
