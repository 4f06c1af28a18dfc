import BumpClaims
import BumpKit
import BumpWire
import Testing

@testable import BumpCLI
@testable import BumpSession

/// What a receive of many claims says at its end.
@Suite struct KeptCountTests {
  private static let counts: [([String], String)] = [
    ([], "Nothing was received."), (["claim"], "1 claim was received."), (["duplicate"], "Nothing was received."),
    (["claim", "claim", "card"], "2 claims and 1 card were received."), (["card", "card"], "2 cards were received."),
    (["claim", "card", "link", "link", "duplicate", "same link"], "1 claim, 1 card and 2 links were received."),
  ]

  @Test(arguments: counts.indices) func `claims, cards and links are counted, each once`(index: Int) throws {
    let (words, sentence) = Self.counts[index]
    var count = KeptCount()
    for word in words { count.add(try Self.outcome(word)) }
    #expect(count.sentence == sentence)
  }

  private static func outcome(_ word: String) throws -> ReceiveOutcome {
    let bob = try DisplayName("bob")
    let claim = Claim(
      id: try ClaimID("ours"), secret: try ClaimSecret([UInt8](repeating: 7, count: 16)), token: .usdc,
      amount: try Amount("1.00"))
    let verified = VerifiedClaim(
      claim: claim, expiry: try #require(Expiry(unixSeconds: 4_000_000_000)), origin: .session(from: bob))
    func saved(_ kind: DocumentKind, _ text: String, isDuplicate: Bool = false) throws -> ReceiveOutcome {
      let document = VerifiedDocument(try Document(kind, Array(text.utf8)), from: bob)
      return .saved(SavedDocument(document, path: "/cards/x", isDuplicate: isDuplicate))
    }
    return switch word {
    case "claim": .received(verified)
    case "duplicate": .duplicate(verified)
    case "card": try saved(.card, "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Bob;;;;\r\nFN:Bob\r\nEND:VCARD\r\n")
    case "same link": try saved(.link, "https://example.org/", isDuplicate: true)
    default: try saved(.link, "https://example.org/")
    }
  }
}
