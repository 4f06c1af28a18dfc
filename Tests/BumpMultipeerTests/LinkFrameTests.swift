import BumpMultipeer
import Crypto
import Samples
import Testing

@Suite struct LinkFrameTests {
  static let alice = SessionNetwork.peer("alice", 1)

  static let proof = IdentityProof(
    key: [UInt8](repeating: 7, count: 32), signature: [UInt8](repeating: 8, count: 64))

  static let frames: [LinkFrame] = {
    let ticket = Ticket(id: [UInt8](repeating: 3, count: 16), key: SymmetricKey(data: [UInt8](repeating: 4, count: 32)))
    guard
      let session = PeerID([UInt8](repeating: 9, count: 16)),
      let four = HostAddress(address: [192, 168, 1, 7], port: 7000),
      let six = HostAddress(address: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), port: 1)
    else { return [] }
    return [
      .invite(Invitation(from: alice, to: session)),
      .invite(Invitation(from: alice, to: session, context: [])),
      .invite(Invitation(from: alice, to: session, context: [UInt8](repeating: 5, count: MultipeerLimits.context))),
      .answer(true), .answer(false), .verdict(true), .verdict(false),
      .terms(Terms(peer: alice, session: session, preference: .none, port: 0), proof),
      .terms(
        Terms(peer: alice, session: session, preference: .required, port: 65535, certificates: [[1, 2], [], [3]]),
        proof),
      .roster([]), .roster([alice.id, session]),
      .introduce(Introduction(peer: alice, host: four, ticket: ticket)),
      .introduce(Introduction(peer: alice, host: six, ticket: ticket)),
      .message(isLast: true, isReliable: true, part: []),
      .message(isLast: false, isReliable: true, part: [1]),
      .message(isLast: true, isReliable: false, part: [1]),
      .message(isLast: false, isReliable: false, part: [UInt8](repeating: 6, count: MultipeerLimits.part)),
      .transfer(0, .stream(name: "s")), .transfer(.max, .resource(name: "r", size: nil)),
      .transfer(1, .resource(name: "ü", size: .max)), .transfer(2, .part([7])), .transfer(3, .end),
      .transfer(4, .cancel), .transfer(5, .stop), .transfer(6, .credit(1)), .transfer(7, .received),
      .ping, .pong, .goodbye(.left), .goodbye(.unknown),
    ]
  }()

  @Test("a frame that is written is read as what it was", arguments: frames)
  func roundTrip(frame: LinkFrame) throws {
    #expect(frame.bytes.count <= MultipeerLimits.frame)
    #expect(try LinkFrame(frame.bytes) == frame)
  }

  @Test("each beginning of a frame is refused, or is itself a frame that is written so", arguments: frames)
  func cut(frame: LinkFrame) {
    let bytes = frame.bytes
    for count in 0..<min(bytes.count, 200) {
      let beginning = Array(bytes.prefix(count))
      if let read = try? LinkFrame(beginning) { #expect(read.bytes == beginning) }
    }
  }

  @Test("a longer frame is refused, or is itself a frame that is written so", arguments: frames)
  func longer(frame: LinkFrame) {
    let bytes = frame.bytes + [0]
    if let read = try? LinkFrame(bytes) { #expect(read.bytes == bytes) }
  }

  @Test("a frame is as the specification has it, byte by byte")
  func bytes() throws {
    let id = [1] + [UInt8](repeating: 0, count: 15)
    #expect(LinkFrame.answer(true).bytes == [0x11, 1])
    #expect(LinkFrame.roster([Self.alice.id]).bytes == [0x14] + id)
    #expect(
      LinkFrame.invite(Invitation(from: Self.alice, to: Self.alice.id, context: [7])).bytes
        == [0x10] + id + [5] + Array("alice".utf8) + id + [1, 7])
    #expect(
      LinkFrame.terms(
        Terms(peer: Self.alice, session: Self.alice.id, preference: .required, port: 258, certificates: [[9]]),
        Self.proof
      ).bytes == [0x12] + id + [5] + Array("alice".utf8) + id + [1, 1, 2] + Self.proof.key + Self.proof.signature
        + [0, 1, 9])
    #expect(
      LinkFrame.transfer(258, .resource(name: "r", size: 1)).bytes == [
        0x32, 0, 0, 1, 2, 1, 0x72, 0, 0, 0, 0, 0, 0, 0, 1,
      ])
    #expect(LinkFrame.transfer(0, .credit(65536)).bytes == [0x39, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(LinkFrame.goodbye(.full).bytes == [0x42, 5])
  }

  static let refused: [(String, [UInt8])] = [
    ("nothing", []), ("an unknown type", [0x50]), ("a flag of 2", [0x11, 2]), ("a goodbye of 0", [0x42, 0]),
    ("a goodbye of 9", [0x42, 9]), ("a ping with a body", [0x40, 0]),
    (
      "a preference of 3",
      [0x12] + [UInt8](repeating: 1, count: 16) + [1, 0x61] + [UInt8](repeating: 1, count: 16) + [3, 0, 0]
        + [UInt8](repeating: 7, count: 96)
    ),
    ("an empty name", [0x30, 0, 0, 0, 0, 0]),
    ("a name of 64 bytes", [0x30, 0, 0, 0, 0, 64] + [UInt8](repeating: 0x61, count: 64)),
    ("a name that is not UTF-8", [0x30, 0, 0, 0, 0, 1, 0xFF]),
    ("a part that is too long", [0x20] + [UInt8](repeating: 0, count: MultipeerLimits.part + 1)),
    ("the same member twice", [0x14] + [UInt8](repeating: 1, count: 32)),
    ("nine members", [0x14] + (0..<9).flatMap { [UInt8](repeating: $0, count: 16) }),
    (
      "nine certificates",
      [0x12] + [UInt8](repeating: 1, count: 16) + [1, 0x61] + [UInt8](repeating: 1, count: 16) + [0, 0, 0]
        + [UInt8](repeating: 7, count: 96) + [UInt8](repeating: 0, count: 18)
    ),
    (
      "an introduction to port 0",
      [0x15] + [UInt8](repeating: 1, count: 16) + [1, 0x61, 4, 10, 0, 0, 1, 0, 0] + [UInt8](repeating: 1, count: 48)
    ),
    (
      "an address of 5 bytes",
      [0x15] + [UInt8](repeating: 1, count: 16) + [1, 0x61, 5, 10, 0, 0, 1, 1, 0, 1] + [UInt8](repeating: 1, count: 48)
    ),
  ]

  @Test("a frame with a value out of bounds is refused", arguments: refused)
  func outOfBounds(_: String, bytes: [UInt8]) {
    #expect(throws: MultipeerError(.frame, "")) { try LinkFrame(bytes) }
  }

  @Test("whatever bytes come, what is read is written as it came")
  func chance() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let frame = Self.frames[Int(generator.next() % UInt64(Self.frames.count))]
      var bytes = Array(frame.bytes.prefix(120))
      bytes[Int(generator.next() % UInt64(bytes.count))] ^= 1 << UInt8(generator.next() % 8)
      if let read = try? LinkFrame(bytes) { #expect(read.bytes == bytes) }
    }
  }

  @Test("a ticket's key is in no description")
  func redacted() {
    let ticket = Ticket(id: [UInt8](repeating: 3, count: 16), key: SymmetricKey(data: [UInt8](repeating: 4, count: 32)))
    #expect("\(ticket)" == "<redacted>")
    #expect(String(reflecting: ticket) == "<redacted>")
  }
}
