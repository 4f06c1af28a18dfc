import Samples
import Testing

@testable import BumpMDNS

@Suite struct MessageTests {
  /// A question as RFC 6762 §18 lays it out: the header's fields are zero, the class's top bit asks for unicast.
  @Test func `a question is written byte for byte`() throws {
    let question = Message(questions: [Question(.of("_a._tcp.local"), .ptr, wantsUnicast: true)])
    let bytes: [UInt8] =
      [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
      + [2, 0x5F, 0x61, 4, 0x5F, 0x74, 0x63, 0x70, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0]
      + [0, 12, 0x80, 1]
    #expect(question.bytes == bytes)
    #expect(try Message(bytes) == question)
  }

  /// With each name's ending once (RFC 1035 §4.1.4), in an SRV record too (RFC 6762 §18.14).
  @Test func `a response is written byte for byte`() throws {
    let response = Message(answers: [
      Record(.of("_a._tcp.local"), .ptr(.of("b._a._tcp.local")), timeToLive: 120),
      Record(
        .of("b._a._tcp.local"), .srv(priority: 1, weight: 2, port: 4242, target: .of("h.local")), timeToLive: 120,
        flushesCache: true),
      Record(.of("h.local"), .a([192, 0, 2, 1]), timeToLive: 0x01020304, flushesCache: true),
      Record(.of("h.local"), .nsec(next: .of("h.local"), types: [.a, .srv]), timeToLive: 1, flushesCache: true),
    ])
    let type: [UInt8] = [2, 0x5F, 0x61, 4, 0x5F, 0x74, 0x63, 0x70, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0]
    var bytes: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 4, 0, 0, 0, 0]
    bytes += type + [0, 12, 0, 1, 0, 0, 0, 120, 0, 4, 1, 0x62, 0xC0, 12]
    bytes += [0xC0, 37, 0, 33, 0x80, 1, 0, 0, 0, 120, 0, 10, 0, 1, 0, 2, 0x10, 0x92, 1, 0x68, 0xC0, 20]
    bytes += [0xC0, 59, 0, 1, 0x80, 1, 1, 2, 3, 4, 0, 4, 192, 0, 2, 1]
    bytes += [0xC0, 59, 0, 47, 0x80, 1, 0, 0, 0, 1, 0, 9, 0xC0, 59, 0, 5, 0x40, 0, 0, 0, 0x40]
    #expect(response.bytes == bytes)
    #expect(try Message(bytes) == response)
  }

  @Test func `records of every kind come back`() throws {
    var message = Message(answers: [
      Record(Names.host, .aaaa([UInt8](0..<16)), timeToLive: 1),
      Record(Names.host, .txt([3, 0x61, 0x3D, 0x62]), timeToLive: 2),
      Record(Names.host, .cname(Names.alice), timeToLive: 3),
      Record(Names.host, .opaque(RecordType(rawValue: 13), [1, 2, 3]), timeToLive: 4),
    ])
    message.authorities = [Record(Names.type, .ptr(Names.alice), timeToLive: 5)]
    message.additionals = [Record(Names.type, .ptr(Names.host), timeToLive: 6)]
    message.isTruncated = true
    message.id = 0xABCD
    #expect(try Message(message.bytes) == message)
  }

  @Test func `a name that points at itself, ahead or in a circle is refused`() {
    let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    for name: [UInt8] in [[0xC0, 12], [0xC0, 14, 0], [1, 0x61, 0xC0, 12], [0xC0, 0xFF], [0xC0]] {
      #expect(throws: MessageError.self) { try Message(header + name + [0, 1, 0, 1]) }
    }
    #expect(throws: MessageError.badName) { try Message(header + [0x40, 0, 0, 1, 0, 1]) }
  }

  @Test func `a chain of pointers is followed only so far`() throws {
    // The data of an unknown type is a chain, each pointer at the one before; then comes a name that follows it.
    func packet(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0]
      bytes += [0, 0, 13, 0, 1, 0, 0, 0, 1, 0, UInt8(1 + 2 * count)]
      var last = bytes.count
      bytes.append(0)
      for _ in 0..<count {
        bytes += [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
        last = bytes.count - 2
      }
      return bytes + [0xC0, UInt8(last), 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]
    }
    #expect(try Message(packet(31)).answers.count == 2)
    #expect(try Message(packet(32)).answers.count == 1)
  }

  @Test func `each label of a long name may be pointed to any number of times, and from the end of another`() throws {
    let letters = (0..<100).map { UInt8(97 + $0 % 26) }
    func name(from first: Int, after label: String = "") -> DomainName {
      .of(label + letters[first...].map { String(UnicodeScalar($0)) }.joined(separator: "."))
    }
    var (bytes, names): ([UInt8], [DomainName]) = ([0, 0, 0, 0, 1, 45, 0, 0, 0, 0, 0, 0], [name(from: 0)])
    bytes += letters.flatMap { [1, $0] } + [0, 0, 1, 0, 1]
    for turn in 0..<3 {
      for label in 0..<100 {
        let isBehind = turn == 2
        bytes += (isBehind ? [1, 0x5A] : []) + [0xC0, UInt8(12 + 2 * label), 0, 1, 0, 1]
        names.append(name(from: label, after: isBehind ? "Z." : ""))
      }
    }
    #expect(try Message(bytes).questions.map(\.name) == names)
  }

  @Test func `a packet cut anywhere is refused`() throws {
    let pointer = Record(Names.type, .ptr(Names.alice), timeToLive: 120)
    let whole = Message(answers: [pointer, pointer]).bytes
    for count in 0..<whole.count { #expect(throws: MessageError.self) { try Message(Array(whole.prefix(count))) } }
    _ = try Message(whole)
  }

  // MARK: Damage

  /// A record of class IN, byte for byte.
  private static func record(_ type: UInt8, _ data: [UInt8], name: [UInt8] = [0], length: Int? = nil) -> [UInt8] {
    let length = length ?? data.count
    return name + [0, type, 0, 1, 0, 0, 0, 1, UInt8(length >> 8), UInt8(length & 0xFF)] + data
  }

  private static let addresses = [UInt8(1), 2].map { record(1, [192, 0, 2, $0], name: [1, 0x68, 0]) }
  private static let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 3, 0, 0, 0, 0]

  /// A bad pointer, a length that is not the type's, data that ends before or after its length; a bad name before it.
  private static let damaged: [[UInt8]] = [
    record(47, [0xC0, 0xFF, 0, 1, 0x40]), record(47, [0xC0, 0x40]), record(47, []), record(47, [3, 0x61]),
    record(1, [1, 2, 3]), record(1, [1, 2, 3, 4, 5]), record(1, []), record(28, [0]),
    record(28, [UInt8](repeating: 0, count: 17)), record(12, []), record(12, [0, 0]), record(12, [0x40, 0]),
    record(12, [1]), record(12, [0xC0, 0xFF]), record(5, [0x80]), record(33, [0, 0, 0, 0, 0, 0]),
    record(33, [0, 0, 0, 0]), record(33, [0, 0, 0, 0, 0, 0, 1]), record(1, [1, 2, 3, 4], name: [0xC0, 0xFF]),
    record(1, [1, 2, 3, 4], name: [1, 0x61, 0xC0, 0xFF]),
    record(1, [1, 2, 3, 4], name: (0..<5).flatMap { _ in [63] + [UInt8](repeating: 0x61, count: 63) } + [0]),
  ]

  /// RDLENGTH says where the next one begins (RFC 1035 §4.1.3).
  @Test(arguments: damaged) func `a damaged record is skipped, and those around it are read`(damaged: [UInt8]) throws {
    let host = DomainName.of("h")
    #expect(
      try Message(Self.header + Self.addresses[0] + damaged + Self.addresses[1]).answers == [
        Record(host, .a([192, 0, 2, 1]), timeToLive: 1), Record(host, .a([192, 0, 2, 2]), timeToLive: 1),
      ])
  }

  @Test(arguments: [
    record(1, [1, 2, 3, 4], length: 100), record(47, [0xC0, 0xFF], length: 0xFFFF), record(13, [], length: 17),
    record(1, [1, 2, 3, 4], name: [0x40]), record(1, [1, 2, 3, 4], name: [63]),
  ])
  func `nothing is used of a packet where the end of a record cannot be found`(damaged: [UInt8]) {
    #expect(throws: MessageError.self) {
      try Message(Self.header + Self.addresses[0] + damaged + Self.addresses[1])
    }
  }

  /// RFC 6762 §18.3, §18.11, §17; RFC 2181 §8.
  @Test func `packets for others are told apart`() throws {
    var bytes = Message(questions: [Question(Names.type, .ptr)]).bytes
    bytes[2] = 0x08
    #expect(throws: MessageError.notForUs) { try Message(bytes) }
    bytes[2] = 0
    bytes[3] = 3
    #expect(throws: MessageError.notForUs) { try Message(bytes) }
    #expect(throws: MessageError.tooLong) { try Message([UInt8](repeating: 0, count: 9001)) }
    // A class that is neither IN nor ANY.
    bytes[3] = 0
    bytes[bytes.count - 1] = 3
    #expect(try Message(bytes).questions.isEmpty)
    let eternal = Message(answers: [Record(Names.host, .a([1, 2, 3, 4]), timeToLive: 0x8000_0000)])
    #expect(try Message(eternal.bytes).answers.first?.timeToLive == 0)
  }

  @Test func `counts that promise more than there is cost nothing`() {
    let header: [UInt8] = [0, 0, 0x84, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: MessageError.cutShort) { try Message(header) }
  }

  @Test func `what any bytes are read as is written and read as the same`() throws {
    var random = SplitMix64(seed: 7)
    let samples = [
      Message(
        questions: [Question(Names.type, .ptr)], knownAnswers: [Record(Names.type, .ptr(Names.alice), timeToLive: 9)]),
      Message(
        answers: [
          Record(Names.alice, .srv(priority: 0, weight: 0, port: 1, target: Names.host), timeToLive: 120),
          Record(Names.host, .nsec(next: Names.host, types: [.a]), timeToLive: 1),
        ], additionals: [Record(Names.host, .a([1, 2, 3, 4]), timeToLive: 1)]),
    ]
    var read = 0
    for _ in 0..<5_000 {
      var bytes = samples[Int.random(in: 0..<2, using: &random)].bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let message = try? Message(bytes) else { continue }
      read += 1
      #expect(try Message(message.bytes) == message)
    }
    #expect(read > 500)
  }
}
