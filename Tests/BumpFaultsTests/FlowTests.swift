import BumpFaults
import Testing

/// A connection's bytes under one fault at a time.
@Suite struct FlowTests {
  private static func record(_ byte: UInt8, length: Int = 4) -> [UInt8] {
    [0, UInt8(length)] + [UInt8](repeating: byte, count: length)
  }

  /// What arrives of five records that are sent in one millisecond each.
  private func arrivals(_ name: String, seed: UInt64 = 1, isFromOpener: Bool = false, number: Int = 1)
    throws -> [FaultyFlow.Arrival]
  {
    var flow = FaultyFlow(try FaultPlan("\(name):\(seed)"), .init(number: number), isFromOpener: isFromOpener)
    return (1...5).flatMap { flow.sent(Self.record(UInt8($0)), at: .milliseconds($0)) }
  }

  private func sent(_ numbers: ClosedRange<Int>) -> [FaultyFlow.Arrival] {
    numbers.map { .bytes(Self.record(UInt8($0)), at: .milliseconds($0)) }
  }

  @Test func `a plan without bytes in it leaves them as they are`() throws {
    #expect(try arrivals("ghost-peer") == sent(1...5))
  }

  /// The lengths of a sender's records before CLAIM: WELCOME, with a code PAKE_S, NOISE_2, OFFER, where it asks HOLD,
  /// and where it was told to REMEMBER.
  static let befores = [[74, 49, 130], [74, 33, 49, 130], [74, 49, 130, 18], [74, 33, 49, 130, 18, 18]]

  /// Sends a sender's records, with CLAIM as the last. Returns them as they are, and what arrives.
  private func claim(
    _ name: String, after lengths: [Int], isFromOpener: Bool = false
  ) throws -> (sent: [FaultyFlow.Arrival], arrived: [FaultyFlow.Arrival]) {
    var flow = FaultyFlow(try FaultPlan(name), .init(number: 1), isFromOpener: isFromOpener)
    let records = (lengths + [180]).enumerated().map { Self.record(UInt8($0), length: $1) }
    return (
      records.map { .bytes($0, at: .zero) }, records.flatMap { flow.sent($0, at: .zero) }
    )
  }

  @Test(arguments: befores) func `one bit of the claim's record flips, on one way alone`(before: [Int]) throws {
    let (sent, arrived) = try claim("tampered-mac", after: before)
    guard case .bytes(let altered, _)? = arrived.last, case .bytes(let whole, _)? = sent.last else {
      throw FaultPlanTestError()
    }
    let bits = zip(altered, whole).map { ($0 ^ $1).nonzeroBitCount }
    #expect(bits == [Int](repeating: 0, count: whole.count - 1) + [1])
    #expect(arrived.dropLast() == sent.dropLast())
    let back = try claim("tampered-mac", after: before, isFromOpener: true)
    #expect(back.arrived == back.sent)
  }

  @Test(arguments: befores) func `the claim's record comes twice`(before: [Int]) throws {
    let (sent, arrived) = try claim("replay", after: before)
    #expect(arrived == sent + sent.suffix(1))
  }

  /// What arrives of five records, and the end, where one fault befalls the third.
  private func arrivals(
    _ effect: ByteFault.Effect, record: Int = 3, earlier: [[UInt8]] = []
  ) -> [FaultyFlow.Arrival] {
    let profile = FaultProfile(
      "one", "One fault.", wire: .bump, .inferred, [], remedy: "None.", [.bytes(ByteFault(effect, from: record))])
    var flow = FaultyFlow(FaultPlan(profile), .init(number: 1), isFromOpener: true, earlier: earlier)
    return (1...5).flatMap { flow.sent(Self.record(UInt8($0)), at: .milliseconds($0)) }
      + flow.ended(at: .milliseconds(9))
  }

  @Test func `a record lets the next one pass, or the last one comes before the end`() {
    #expect(
      arrivals(.swap) == sent(1...2) + sent(4...4) + [.bytes(Self.record(3), at: .milliseconds(4))] + sent(5...5))
    #expect(arrivals(.swap, record: 5) == sent(1...4) + [.bytes(Self.record(5), at: .milliseconds(9))])
  }

  @Test func `the record of that number of an earlier connection comes instead, or nothing`() {
    let earlier = (11...13).map { Self.record($0) }
    #expect(
      arrivals(.replay, earlier: earlier) == sent(1...2) + [.bytes(Self.record(13), at: .milliseconds(3))] + sent(4...5)
    )
    #expect(arrivals(.replay, record: 4, earlier: earlier) == sent(1...3) + sent(5...5))
  }

  @Test func `a connection is cut within one record, as far as was drawn`() {
    for (percent, count) in [0: 0, 50: 3, 99: 5] {
      let part = Array(Self.record(3).prefix(count))
      #expect(
        Array(arrivals(.cutInside(percent: percent...percent)).prefix(4))
          == sent(1...2) + [.bytes(part, at: .milliseconds(3)), .cut(at: .milliseconds(3), ends: .both)])
    }
  }

  @Test(arguments: befores) func `a connection is cut behind the claim's record`(before: [Int]) throws {
    let (sent, arrived) = try claim("cut-after-claim", after: before)
    #expect(arrived == sent + [.cut(at: .zero, ends: .both)])
  }

  @Test func `what stalls never comes, nor does the end`() throws {
    let plan = try FaultPlan("connecting-stall:1")
    var flow = FaultyFlow(plan, .init(number: 1), isFromOpener: true)
    #expect((1...5).flatMap { flow.sent(Self.record(UInt8($0)), at: .milliseconds($0)) } == sent(1...2))
    #expect(flow.hidesTheEnd)
  }

  @Test func `a record that is cut into pieces is counted once`() throws {
    let plan = try FaultPlan("replay")
    var flow = FaultyFlow(plan, .init(number: 1), isFromOpener: false)
    let bytes = (1...3).flatMap { Self.record(UInt8($0), length: 100) }
    let whole = bytes.flatMap { flow.sent([$0], at: .zero) }
    #expect(whole.count == 4)
  }

  @Test(arguments: ["slow-link", "packet-loss", "no-backpressure", "wifi-contention"])
  func `late bytes stay in order, and all come`(name: String) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var flow = FaultyFlow(try FaultPlan("\(name):\(seed)"), .init(number: 1), isFromOpener: true)
      var last = Duration.zero
      var bytes: [UInt8] = []
      for number in 1...30 {
        for arrival in flow.sent(Self.record(UInt8(number)), isDiscovering: true, at: .milliseconds(10 * number)) {
          guard case .bytes(let some, let due) = arrival else { throw FaultPlanTestError() }
          #expect(due >= last && due >= .milliseconds(10 * number))
          last = due
          bytes += some
        }
      }
      #expect(bytes == (1...30).flatMap { Self.record(UInt8($0)) })
      #expect(last > .milliseconds(300))
    }
  }
}

struct FaultPlanTestError: Error {}
