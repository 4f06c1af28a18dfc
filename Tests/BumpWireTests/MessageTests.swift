import BumpClaims
import Samples
import Testing

@testable import BumpWire

@Suite struct MessageTests {
  private static let mac = [UInt8](repeating: 0xAA, count: 32)

  static var samples: [(Message, [UInt8])] {
    get throws {
      [
        (.offer([0x7B]), [0x20, 0x7B]),
        (.offer([UInt8](repeating: 1, count: 512)), [0x20] + [UInt8](repeating: 1, count: 512)),
        (.hold(seconds: 0), [0x21, 0]), (.hold(seconds: 60), [0x21, 60]),
        (.accept(try DisplayName("bob")), [0x22, 3, 0x62, 0x6F, 0x62]), (.accept(try DisplayName("")), [0x22, 0]),
        (
          .accept(try DisplayName(String(repeating: "é", count: 31) + "x")),
          [0x22, 63] + Array((String(repeating: "é", count: 31) + "x").utf8)
        ),
        (.decline, [0x23]), (.claim(mac: mac, payload: [1]), [0x24] + mac + [1]),
        (
          .claim(mac: mac, payload: [UInt8](repeating: 2, count: 1024)),
          [0x24] + mac + [UInt8](repeating: 2, count: 1024)
        ),
        (.stored(.stored), [0x25, 0]), (.stored(.duplicate), [0x25, 1]), (.stored(.storedBesideAnother), [0x25, 2]),
        (.stored(.notStored), [0x25, 3]), (.stored(.invalid), [0x25, 4]), (.remember(.yes), [0x26, 0]),
        (.remember(.notAsked), [0x26, 1]), (.remember(.nameTaken), [0x26, 2]), (.remember(.cannotKeep), [0x26, 3]),
        (.chunk([9]), [0x27, 9]),
        (.chunk([UInt8](repeating: 3, count: 1056)), [0x27] + [UInt8](repeating: 3, count: 1056)), (.more, [0x28]),
        (.queued(place: 1), [0x29, 1]), (.queued(place: 8), [0x29, 8]),
      ]
    }
  }

  @Test func `a message has one form, and comes back from it`() throws {
    for (message, bytes) in try Self.samples {
      #expect(message.bytes == bytes)
      #expect(try Message(bytes) == message)
    }
  }

  static let malformed: [String: [UInt8]] = [
    "nothing": [], "the type before the first": [0x1F], "the type after the last": [0x2A], "type zero": [0],
    "type 255": [0xFF],
    "OFFER of nothing": [0x20], "OFFER of 513 bytes": [0x20] + [UInt8](repeating: 1, count: 513),
    "HOLD of nothing": [0x21],
    "HOLD of two bytes": [0x21, 1, 1], "HOLD of 61 seconds": [0x21, 61], "HOLD of 255 seconds": [0x21, 255],
    "ACCEPT of nothing": [0x22], "ACCEPT with a length too great": [0x22, 4, 0x62, 0x6F, 0x62],
    "ACCEPT with a length too small": [0x22, 2, 0x62, 0x6F, 0x62], "ACCEPT with a length and no name": [0x22, 1],
    "ACCEPT with bytes after an empty name": [0x22, 0, 0], "DECLINE of a byte": [0x23, 0], "CLAIM of nothing": [0x24],
    "CLAIM of half a mac": [0x24] + mac.dropLast(), "CLAIM of a mac alone": [0x24] + mac,
    "CLAIM of 1025 bytes": [0x24] + mac + [UInt8](repeating: 2, count: 1025), "STORED of nothing": [0x25],
    "STORED of two bytes": [0x25, 0, 0], "STORED of status 5": [0x25, 5], "STORED of status 255": [0x25, 255],
    "REMEMBER of nothing": [0x26], "REMEMBER of two bytes": [0x26, 0, 0], "REMEMBER of answer 4": [0x26, 4],
    "CHUNK of nothing": [0x27], "CHUNK of 1057 bytes": [0x27] + [UInt8](repeating: 3, count: 1057),
    "MORE of a byte": [0x28, 0], "QUEUED of nothing": [0x29], "QUEUED of two bytes": [0x29, 1, 1],
    "QUEUED at place 0": [0x29, 0], "QUEUED at place 9": [0x29, 9], "QUEUED at place 255": [0x29, 255],
  ]

  @Test(arguments: malformed)
  func `a message of a wrong length or value is refused`(why: String, bytes: [UInt8]) {
    let error = #expect(throws: WireError.self, "\(why)") { try Message(bytes) }
    #expect(error?.code == .message)
  }

  static let badNames: [String: [UInt8]] = [
    "64 bytes": [0x22, 64] + [UInt8](repeating: 0x61, count: 64), "a lone continuation": [0x22, 1, 0x80],
    "half a character": [0x22, 1, 0xC3], "a surrogate": [0x22, 3, 0xED, 0xA0, 0x80],
    "a zero": [0x22, 1, 0], "a zero within": [0x22, 8] + Array("bob\0evil".utf8),
  ]

  @Test(arguments: badNames)
  func `an ACCEPT with a name that is none is refused`(why: String, bytes: [UInt8]) {
    let error = #expect(throws: WireError.self, "\(why)") { try Message(bytes) }
    #expect(error?.code == .message)
  }

  @Test(arguments: [
    (StoredStatus.stored, true), (.duplicate, true), (.storedBesideAnother, true), (.notStored, false),
    (.invalid, false),
  ])
  func `a claim is delivered where the receiver has it for good`(status: StoredStatus, isDelivered: Bool) {
    #expect(status.isDelivered == isDelivered)
  }

  @Test func `every byte is read or refused, and read bytes come back`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<5000 {
      let bytes = [UInt8.random(in: 0x1F...0x2A, using: &random)] + random.bytes(Int.random(in: 0...80, using: &random))
      if let message = try? Message(bytes) { #expect(message.bytes == bytes) }
    }
  }

  @Test(arguments: Printing.ways)
  func `no way of printing a CLAIM shows its secret`(way: String) throws {
    Printing.expectNoSecret(in: Message.claim(mac: Self.mac, payload: try Vector.claim.payload), way)
  }
}
