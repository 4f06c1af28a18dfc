import BumpClaims
import BumpKit
import Foundation
import Lab
import Testing

@testable import BumpCLI

/// `bump history`, `bump show` and `bump link`.
@Suite(.processes()) struct StoredClaimsTests {
  private func id(of link: String) throws -> String {
    try UnverifiedClaimLink(link).link.claim.id.description
  }

  @Test func `who has nothing is told so, and no store is made for it`() async throws {
    let alice = try Person()
    let finished = try await alice.run("history")
    #expect(finished.status == 0 && finished.standardOutput == "nothing sent or received yet\n", "\(finished)")
    #expect(try await alice.run("history", "--json").standardOutput.isEmpty)
    #expect(try await alice.run("show", "nowhere").status == 1)
    #expect(!FileManager.default.fileExists(atPath: alice.store))
  }

  @Test func `the history is a line for each claim, without a secret`() async throws {
    let alice = try Person()
    let sent = try await id(of: alice.link())
    _ = try await alice.take(strangersLink())
    let finished = try await alice.run(["history"], changes: ["TZ": "XST-14"])
    #expect(finished.status == 0 && finished.lines.count == 2, "\(finished)")
    let moment = #/\d{4}-\d\d-\d\d \d\d:\d\d  1\.00 USDC (?:made here|received)  /#
    #expect(finished.lines.allSatisfy { $0.prefixMatch(of: moment) != nil && $0.count <= 80 }, "\(finished)")
    #expect(finished.lines.first?.hasSuffix("  received  stranger") == true, "the newest first: \(finished)")
    #expect(finished.lines.last?.hasSuffix("  link shown: bump send --again \(sent.prefix(8))") == true, "\(finished)")
    let onTerminal = try await alice.run(["history"], streams: .terminal)
    #expect(onTerminal.lines.last?.contains("  received  stranger") == true, "the newest last: \(onTerminal)")
    #expect(!finished.standardOutput.contains(sevens))
  }

  @Test func `the history may be cut short`() async throws {
    let alice = try Person()
    for number in 1...3 { _ = try await alice.take(strangersLink(id: "claim\(number)")) }
    #expect(try await alice.run("history", "--limit", "2").lines.count == 2)
    #expect(
      try await alice.run("history", "--limit", "2", "--json").events.map { $0.string("claimId") } == [
        "claim3", "claim2",
      ])
  }

  @Test func `a claim that somebody may still take is listed behind any number of newer ones, with what to do`()
    async throws
  {
    let alice = try Person()
    let open = [try await id(of: alice.link()), try await alice.claim(.unknown).description]
    _ = try await alice.claim(.delivered)
    _ = try await alice.claim(.linkShown, expiry: 1_000_000)
    for number in 1...3 { _ = try await alice.take(strangersLink(id: "claim\(number)")) }
    let short = try await alice.run("history", "--limit", "1")
    #expect(short.lines.count == 3 && short.lines.first?.hasSuffix("  received  claim3") == true, "\(short)")
    for (claim, command) in zip(open, ["link shown: bump send --again", "unknown: bump settle"]) {
      #expect(short.lines.contains { $0.hasSuffix("  \(command) \(claim.prefix(8))") }, "\(short)")
    }
    let events = try await alice.run("history", "--limit", "1", "--json").events
    #expect(Set(events.compactMap { $0.string("claimId") }) == Set(open + ["claim3"]))
    #expect(try await alice.run("history").lines.count == 7, "what is listed anyway is listed once")
    for claim in open { #expect(try await alice.run("settle", claim, "--delivered").status == 0) }
    #expect(try await alice.run("history", "--limit", "1").lines.count == 1)
  }

  @Test func `one claim is shown whole, its secret where that is asked for`() async throws {
    let alice = try Person()
    _ = try await alice.take(strangersLink())
    let shown = try await alice.run("show", "stranger")
    #expect(shown.status == 0, "\(shown)")
    #expect(shown.lines.first == "claim    stranger")
    #expect(
      shown.lines.contains("amount   1.00 USDC") && shown.lines.contains("expires  2096-10-02 07:06:40Z"), "\(shown)")
    #expect(!shown.standardOutput.contains(sevens))
    let secret = try await alice.run("show", "stranger", "--show-secret")
    #expect(secret.lines.last == "secret   \(sevens)==", "\(secret)")
    let json = try await alice.run("show", "stranger", "--json").events
    #expect(json.count == 1 && json[0].string("amount") == "1.00" && json[0].string("secret") == nil)
    #expect(
      try await alice.run("show", "stranger", "--json", "--show-secret").events[0].string("secret") == sevens + "==")
  }

  @Test func `two claims of one id are shown both`() async throws {
    let alice = try Person()
    _ = try await alice.take(strangersLink())
    _ = try await alice.take(strangersLink(amount: "2.00"))
    let shown = try await alice.run("show", "stranger")
    #expect(shown.lines.count { $0 == "claim    stranger" } == 2, "\(shown)")
  }

  @Test(arguments: ["show", "link"])
  func `a claim that is not here is said to be that`(command: String) async throws {
    let finished = try await Person().run(command, "nowhere")
    #expect(finished.status == 1 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.error?.contains("there is no claim nowhere") == true, "\(finished)")
    #expect(finished.error?.contains("bump history") == true)
  }

  @Test(arguments: [
    (["link"], "claim whose link can be shown"), (["settle", "--lost"], "claim to settle"),
    (["refund"], "expired claim to refund"),
  ])
  func `without an id the only claim that can be meant is taken, and none of several`(command: [String], what: String)
    async throws
  {
    let alice = try Person()
    _ = try await alice.claim(.delivered)
    let none = try await alice.run(command)
    #expect(none.status == 64, "\(none)")
    let hint = command == ["refund"] ? "To take money back before its claim expires, name the claim's id: " : ""
    #expect(none.error == "there is no \(what). \(hint)`bump history` lists the claims", "\(none)")
    // Only a vault refunds.
    guard command != ["refund"] else { return }
    let id = try await alice.claim(command == ["link"] ? .new : .unknown)
    let other = try await alice.claim(command == ["link"] ? .linkShown : .unknown)
    let several = try await alice.run(command)
    let words = "there is more than one \(what): "
    #expect(several.status == 64 && several.error?.hasPrefix(words) == true, "\(several)")
    #expect(several.error?.contains("\(id)") == true && several.error?.hasSuffix(". Name one of them") == true)
    #expect(try await alice.run("settle", other.description, "--delivered").status == 0)
    let only = try await alice.run(command)
    #expect(only.status == 0 && (only.standardOutput + only.standardError).contains("\(id)"), "\(only)")
  }

  @Test func `the link of a claim of ours is shown again, the same`() async throws {
    let alice = try Person()
    let link = try await alice.link()
    let again = try await alice.run("link", id(of: link))
    #expect(again.status == 0 && again.standardOutput == link + "\n", "\(again)")
    let elsewhere = try await alice.run("link", id(of: link), "--link-base", "https://pay.example/cl")
    #expect(elsewhere.standardOutput.hasPrefix("https://pay.example/cl/\(try id(of: link))#s="), "\(elsewhere)")
  }

  @Test func `a claim that nobody came for stays new until its link is shown`() async throws {
    let alice = try Person()
    let sent = try await alice.run(
      "send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "0.1", "--qr", "never", "--json")
    #expect(sent.status == 3, "\(sent)")
    #expect(!sent.standardOutput.contains("https://"))
    #expect(
      sent.standardError.contains("There is no terminal to ask on, so the first receiver that accepts gets it."),
      "\(sent)")
    let id = try #require(try sent.result.string("claimId"))
    #expect(sent.standardError.contains("Try `bump send --again \(id)` for another receiver, or `bump link \(id)`"))
    #expect(try await alice.history().map { $0.string("state") } == ["new"])
    #expect(try await alice.run("link", id).status == 0)
    #expect(try await alice.history().map { $0.string("state") } == ["linkShown"])
  }

  @Test func `a claim whose time has passed has no link any more`() async throws {
    let alice = try Person()
    let id = try await alice.claim(.linkShown, expiry: UnixTime.now() - 1)
    let finished = try await alice.run("link", id.description)
    #expect(finished.status == 7 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.error?.contains("claim \(id) expired at 2") == true, "\(finished)")
  }

  @Test func `a claim that expires while somebody is waited for is not shown any more`() async throws {
    let alice = try Person()
    let sent = try await alice.run(
      "send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "60", "--expires", "2s", "--json")
    #expect(sent.status == 7, "\(sent)")
    let events = try sent.events
    // On a busy machine it expires before it can be advertised.
    #expect(!events.contains { $0.string("event") == "fallback" }, "\(sent)")
    #expect(events.last?.string("outcome") == "expired", "\(sent)")
    #expect(try await alice.history().first?.string("state") == "new")
  }

  @Test func `only what is unknown is mentioned at the next start, in one line, unless to be quiet`() async throws {
    let alice = try Person()
    // A link that was shown is where its owner wanted it.
    _ = try await alice.link()
    let calm = try await alice.run("send", "--amount", "1", "--link-only")
    #expect(!calm.standardError.contains("unknown"), "\(calm)")
    let id = try await alice.claim(.unknown)
    let next = try await alice.run("send", "--amount", "1", "--link-only")
    #expect(
      next.standardError.contains(
        "No answer came to 1.00 USDC for \"bob\". Ask. Then: bump settle \(id.beginning)\n"), "\(next)")
    _ = try await alice.claim(.unknown)
    let several = try await alice.run("send", "--amount", "1", "--link-only")
    #expect(
      several.standardError.contains("Several claims got no answer: see `bump history`, ask there, and settle each.\n"),
      "\(several)")
    let quiet = try await alice.run("send", "--amount", "1", "--link-only", "--quiet")
    #expect(quiet.status == 0 && quiet.standardError.isEmpty, "\(quiet)")
  }

  @Test func `a send says that the link of the claim before still works`() async throws {
    let alice = try Person()
    let line = "A link of 1.00 USDC still works. To send that: bump send --again "
    func send() async throws -> ProcessResult {
      try await alice.run("send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "0.1", "--qr", "never")
    }
    _ = try await alice.link()
    #expect(try await send().standardError.contains(line))
    // That one was kept, and showed none.
    let earlier = try await send().standardError
    #expect(earlier.contains(line))
    let first = try #require(earlier.matches(of: #/bump send --again ([0-9A-Za-z_-]{8})\n/#).first?.output.1)
    _ = try await alice.link()
    let linked = try await alice.run("send", "--amount", "1", "--link-only")
    #expect(linked.status == 0 && !linked.standardError.contains("still work"), "\(linked)")
    let several = try await send().standardError
    #expect(
      several.contains("Earlier links may still work: `bump history`. To send one: bump send --again ID\n"),
      "\(several)")
    let history = try await alice.history()
    #expect(history.contains { $0.string("claimId")?.hasPrefix(first) == true && $0.string("state") == "linkShown" })
  }

  @Test func `a send says that the link of a claim that was settled as lost may still work`() async throws {
    let alice = try Person()
    let id = try await alice.claim(.unknown)
    #expect(try await alice.run("settle", id.description, "--lost").status == 0)
    let sent = try await alice.run(
      "send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "0.1", "--qr", "never")
    let words = "A link of 1.00 USDC may still work. To send that: bump send --again \(id.beginning)\n"
    #expect(sent.standardError.contains(words), "\(sent)")
  }

  @Test(arguments: ["history", "show", "send", "receive", "link"])
  func `a store that is none is named`(command: String) async throws {
    let alice = try Person()
    let arguments = [
      "history": ["history"], "show": ["show", "x"], "send": ["send", "--amount", "1", "--link-only"],
      "receive": ["receive", "--link", "-"], "link": ["link", "x"],
    ]
    let finished = try await alice.run(#require(arguments[command]) + ["--store", alice.home], input: strangersLink())
    #expect(finished.status == 1 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(
      finished.error == "the store \(alice.home) cannot be used: it is a directory. Name another with --store",
      "\(finished)")
  }

  @Test(arguments: ["send", "receive"])
  func `a store that is none is a result to programs too`(command: String) async throws {
    let alice = try Person()
    let arguments = command == "send" ? ["--amount", "1", "--link-only"] : ["--link", "-"]
    let finished = try await alice.run(
      [command, "--json", "--store", alice.home] + arguments, input: strangersLink())
    #expect(finished.status == 1, "\(finished)")
    #expect(try finished.events.count == 1 && finished.result.string("outcome") == "failed", "\(finished)")
    #expect(try finished.result.string("error")?.contains(alice.home) == true)
    #expect(finished.error != nil, "\(finished)")
  }

  @Test func `several processes may begin one store at once`() async throws {
    let alice = try Person()
    try await withThrowingTaskGroup(of: ProcessResult.self) { group in
      for _ in 0..<4 { group.addTask { try await alice.run("send", "--amount", "1", "--link-only") } }
      for try await finished in group { #expect(finished.status == 0, "\(finished)") }
    }
    #expect(try await alice.history().count == 4)
  }
}
