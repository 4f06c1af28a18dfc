import BumpClaims
import BumpWire
import Crypto
import Foundation
import Measures
import Samples
import Testing

@testable import BumpSession

/// Whole sessions in which ends remember each other, with fixed randomness, made by Tests/Support/Vectors/remembering.py: a
/// second implementation of Docs/protocol.md.
@Suite struct RememberingVectorTests {
  struct Vector: Decodable, Sendable, CustomStringConvertible {
    let name, code, nonceR, nonceS, ephemeralR, ephemeralS, ya, yb, offer, claim: String
    let handshakeHash, digits, claimMAC, rememberKey: String
    let frames: [String]

    var description: String { name }

    func session() throws -> SessionVector {
      SessionVector(
        description: name, credential: .code(try OneTimeCode(code)),
        keysR: SessionKeys(
          nonce: bytes(nonceR), ephemeral: try .init(rawRepresentation: bytes(ephemeralR)),
          scalar: SymmetricKey(data: bytes(ya))),
        keysS: SessionKeys(
          nonce: bytes(nonceS), ephemeral: try .init(rawRepresentation: bytes(ephemeralS)),
          scalar: SymmetricKey(data: bytes(yb))),
        claim: try Claim(payload: Array(claim.utf8)), offer: try Offer(json: Array(offer.utf8)),
        handshakeHash: bytes(handshakeHash), digits: "\(digits.prefix(3)) \(digits.suffix(3))",
        claimMAC: bytes(claimMAC), link: "", frames: frames.map(bytes))
    }

    /// Both ends as the vector has them.
    func duet() throws -> SessionPair {
      var duet = try SessionPair(session(), remember: (name != "the sender was not asked to", true))
      if name == "the receiver's name is taken" { duet.keeps.receiver = .nameTaken }
      return duet
    }

    static func all() throws -> [Vector] {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      return try JSONDecoder().decode(
        [Vector].self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/remembering.json")))
    }
  }

  @Test(arguments: try Vector.all())
  func `both ends together make the vector's session byte for byte`(vector: Vector) throws {
    var duet = try vector.duet()
    duet.talk()
    #expect(duet.frames.count == vector.frames.count)
    for (index, frame) in duet.frames.enumerated() { #expect(frame == bytes(vector.frames[index]), "frame \(index)") }
    let session = try vector.session()
    #expect(duet.digits.map(\.description) == [session.digits, session.digits])
    #expect(duet.stored.map(\.claim) == [session.claim])
    for key in duet.kept { #expect(key.exposed == bytes(vector.rememberKey)) }
    switch vector.name {
    case "both remember":
      #expect(duet.kept.count == 2)
      #expect(duet.rememberingAtSender == .remembered && duet.rememberingAtReceiver == .remembered)
    case "the sender was not asked to":
      #expect(duet.kept.isEmpty)
      #expect(duet.rememberingAtSender == nil && duet.rememberingAtReceiver == .notRemembered(.notAskedThere))
    default:
      #expect(duet.rememberingAtSender == .notRemembered(.nameTakenThere))
      #expect(duet.rememberingAtReceiver == .notRemembered(.nameTakenHere))
    }
  }

  /// Every single bit of every frame, one at a time; in the first measure one of each eleven.
  @Test(arguments: try (0..<Vector.all()[0].frames.count).map { $0 })
  func `a flipped bit ends in nothing, in unknown, or stored once, and nobody is wrong about who remembers`(
    frame: Int
  ) throws {
    let vector = try #require(try Vector.all().first)
    let (remember, stored) = (vector.frames.count - 2, vector.frames.count - 1)
    for bit in stride(from: 0, to: vector.frames[frame].utf8.count * 4, by: Measure.isThorough ? 1 : 11) {
      var duet = try vector.duet()
      duet.alter = { index, bytes in
        guard index == frame else { return bytes }
        var bytes = bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        return bytes
      }
      duet.talk()
      duet.waitOut()
      #expect(duet.stored.count == (frame >= remember ? 1 : 0), "bit \(bit)")
      switch duet.senderEnding {
      case .unknown: #expect(duet.released == 1, "bit \(bit)")
      case .failed, .declinedThere: #expect(frame < remember && duet.released == 0, "bit \(bit)")
      default: Issue.record("bit \(bit): the sender ended with \(String(describing: duet.senderEnding))")
      }
      // What the receiver says it has kept holds even where STORED does not open.
      #expect(duet.rememberingAtSender == (frame == stored ? .remembered : duet.released == 1 ? .unknown : nil))
      #expect(duet.rememberingAtReceiver == (frame >= remember ? .remembered : nil))
    }
  }
}
