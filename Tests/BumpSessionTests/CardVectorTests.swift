import BumpWire
import Crypto
import Foundation
import Measures
import Samples
import Testing

@testable import BumpSession

/// A whole session with a card and with fixed randomness, made by Tests/Support/Vectors/card.py: a second
/// implementation of Docs/protocol.md.
@Suite struct CardVectorTests {
  struct Vector: Decodable {
    let code, nonceR, nonceS, ephemeralR, ephemeralS, ya, yb, card, offer, digits: String
    let fromR, fromS: [String]

    static func read() throws -> Vector {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      return try JSONDecoder().decode(
        Vector.self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/card.json")))
    }

    func duet() throws -> DocumentSessionPair {
      try DocumentSessionPair(
        Document(.card, Array(card.utf8)), credential: .code(OneTimeCode(code)), asks: true,
        keys: (
          SessionKeys(
            nonce: bytes(nonceS), ephemeral: .init(rawRepresentation: bytes(ephemeralS)),
            scalar: SymmetricKey(data: bytes(yb))),
          SessionKeys(
            nonce: bytes(nonceR), ephemeral: .init(rawRepresentation: bytes(ephemeralR)),
            scalar: SymmetricKey(data: bytes(ya)))
        ))
    }
  }

  @Test func `both ends together make the vector's session byte for byte`() throws {
    let vector = try Vector.read()
    #expect(try String(decoding: DocumentOffer(json: Array(vector.offer.utf8)).json, as: UTF8.self) == vector.offer)
    var duet = try vector.duet()
    duet.talk()
    #expect(duet.written[.receiver] == vector.fromR.map(bytes))
    #expect(duet.written[.sender] == vector.fromS.map(bytes))
    #expect(duet.digits.map { $0.description.filter { $0 != " " } } == [vector.digits, vector.digits])
    #expect(duet.saved.map(\.document.bytes) == [Array(vector.card.utf8)])
  }

  /// Bits of every frame up to the second CHUNK, one at a time; in the first measure one of each five of those.
  @Test(arguments: 0..<12)
  func `a flipped bit ends in nothing, or in the whole card`(frame: Int) throws {
    let vector = try Vector.read()
    let card = Array(vector.card.utf8)
    var count = 1
    var bit = 0
    while bit < count {
      var duet = try vector.duet()
      duet.alter = { index, bytes, _ in
        guard index == frame else { return bytes }
        // Of OFFER one bit of each byte, and of a CHUNK one of every fiftieth.
        let step = bytes.count > 500 ? 400 : bytes.count > 100 ? 8 : 1
        count = bytes.count * 8 / step
        let place = bit * step + (step == 1 ? 0 : bit % 8)
        var bytes = bytes
        bytes[place / 8] ^= 1 << (place % 8)
        return bytes
      }
      duet.talk()
      duet.waitOut()
      #expect(duet.senderEnding != nil && duet.receiverEnding != nil)
      #expect(duet.saved.allSatisfy { $0.document.bytes == card })
      if case .delivered = duet.senderEnding { #expect(duet.saved.count == 1) }
      bit += Measure.isThorough ? 1 : 5
    }
  }
}
