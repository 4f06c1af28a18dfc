import Lab
import Measures
import Testing

@Suite(.live) struct EnduranceTests {
  /// What a program says after one of its bumps.
  private struct Said {
    var claimID: Substring
    var descriptors: Int
    var threads: Int

    init(_ line: String) throws {
      let fields = line.split(separator: " ")
      claimID = try #require(fields.first)
      descriptors = try #require(Int(fields[1]))
      threads = try #require(Int(fields[2]))
    }
  }

  /// Threads wait a while for more to do. What leaks one for each bump has more than these between ten bumps and ten.
  private static let slack = 8

  private static let bumps = Measure.isThorough ? 100 : 20

  @Test func `of many bumps in a row none is lost, and neither side leaks a descriptor or a thread`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      async let sending = run("send", as: alice)
      async let receiving = run("receive", as: bob)
      let (sent, received) = try await (sending, receiving)
      #expect(sent.count == Self.bumps && sent.map(\.claimID) == received.map(\.claimID))
      #expect(try await Set(alice.states()) == ["delivered"])
      #expect(try await Set(bob.history().map { $0.string("claimId") }) == Set(sent.map { String($0.claimID) }))
      for side in [sent, received] {
        for count in [\Said.descriptors, \.threads] {
          // The least of ten: the sockets of the bump before may still be closing.
          let (early, late) = (side.prefix(10).map { $0[keyPath: count] }, side.suffix(10).map { $0[keyPath: count] })
          #expect(try #require(late.min()) <= #require(early.min()) + Self.slack)
        }
      }
    }
  }

  private func run(_ role: String, as person: BumpCommand) async throws -> [Said] {
    let store = try #require(person.environment["BUMP_STORE"])
    let finished = try await person.host.run(
      [BumpCommand.program("BumpsInARow"), role, String(Self.bumps), store, Backend.current.rawValue],
      environment: person.environment, within: .seconds(6 * Self.bumps) + .hang)
    try #require(finished.status == 0, "\(finished)")
    return try finished.lines.map(Said.init)
  }
}
