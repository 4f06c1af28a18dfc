import BumpClaims
import BumpKit
import BumpWire
import Foundation
import Lab
import Testing

typealias Person = LocalUser

extension Person {
  /// Takes the claim of a link, which comes in by stdin.
  func take(_ link: String, _ arguments: String...) async throws -> ProcessResult {
    try await run(["receive", "--link", "-"] + arguments, input: link + "\n")
  }

  /// A claim of theirs, by its link, which has released it.
  func link() async throws -> String {
    let sent = try await run("send", "--amount", "1.00", "--link-only")
    try #require(sent.status == 0, "\(sent)")
    return try #require(sent.lines.last)
  }

  /// A claim of theirs that stands so, as bumps left it: to be released it was sent to bob just now.
  func claim(_ state: HandoverState, expiry: Int64 = 4_000_000_000) async throws -> ClaimID {
    let store = try await ClaimStore.open(at: store)
    let id = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: #require(Expiry(unixSeconds: expiry))
    ).claim.id
    switch state {
    case .new: break
    case .linkShown: _ = try await store.showLink(of: id)
    case .released, .unknown, .delivered, .lost:
      let now = ClockReading.now()
      // A claim that has expired was sent before.
      let age = state == .released ? 0 : max(3600, now.unix - expiry + 1)
      let then = ClockReading(unix: now.unix - age, sinceBoot: now.sinceBoot - age, bootID: now.bootID)
      #expect(
        try await store.release(id, to: DisplayName("bob"), answerWithin: .seconds(60), at: { then })
          == .released(until: then.unix + 65))
      if state == .delivered || state == .lost { _ = try await store.settle(id, as: state) }
    }
    return id
  }

  /// What their history says.
  func history() async throws -> [JSONObject] { try await run("history", "--json").events }
}

/// The link of a claim that a stranger made.
func strangersLink(
  id: String = "stranger", secret: UInt8 = 7, token: String = "USDC", amount: String = "1.00",
  expiry: Int64 = 4_000_000_000
) throws -> String {
  let claim = Claim(
    id: try ClaimID(id), secret: try ClaimSecret([UInt8](repeating: secret, count: 16)), token: try Token(token),
    amount: try Amount(amount))
  return try ClaimLink(claim: claim, expiry: #require(Expiry(unixSeconds: expiry))).text
}

/// The secret of sevens, as `--show-secret` and as a link write it.
let sevens = "BwcHBwcHBwcHBwcHBwcHBw"
