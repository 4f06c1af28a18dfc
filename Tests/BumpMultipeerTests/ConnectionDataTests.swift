import BumpMultipeer
import Testing

/// What two peers give each other when they do not find each other by themselves.
@Suite struct ConnectionDataTests {
  private let a = SessionNetwork.peer("a", 1)
  private let b = SessionNetwork.peer("b", 2)

  private func data(from: Peer, to: Peer, _ byte: UInt8) throws -> ConnectionData {
    ConnectionData(
      from: from, to: to.id, share: [UInt8](repeating: byte, count: 32),
      hosts: [try #require(HostAddress(address: [10, 0, 0, byte], port: 7000))])
  }

  @Test func `what is written is read`() throws {
    let data = try data(from: a, to: b, 1)
    #expect(try ConnectionData(data.bytes) == data)
  }

  @Test func `both derive one ticket from their shares, and another pair another one`() throws {
    let (mine, yours) = (try data(from: a, to: b, 1), try data(from: b, to: a, 2))
    let ticket = yours.ticket(with: mine.share)
    #expect(ticket == mine.ticket(with: yours.share))
    let other = try data(from: b, to: a, 3)
    #expect(other.ticket(with: mine.share) != ticket)
    var elsewhere = yours
    elsewhere.to = SessionNetwork.peer("c", 3).id
    #expect(elsewhere.ticket(with: mine.share) != ticket)
  }

  @Test func `every cut and every addition is refused`() throws {
    let bytes = try data(from: a, to: b, 1).bytes
    for count in 0..<bytes.count {
      #expect(throws: MultipeerError(.frame, "")) { try ConnectionData(Array(bytes.prefix(count))) }
    }
    #expect(throws: MultipeerError(.frame, "")) { try ConnectionData(bytes + [0]) }
  }

  @Test func `seventeen addresses, and a port that nobody listens on, are refused`() throws {
    let bytes = try data(from: a, to: b, 1).bytes
    let head = Array(bytes.dropLast(8))
    let host: [UInt8] = [4, 10, 0, 0, 1, 0x1B, 0x58]
    #expect(try ConnectionData(head + [16] + (0..<16).flatMap { _ in host }).hosts.count == 16)
    #expect(throws: MultipeerError(.frame, "")) { try ConnectionData(head + [17] + (0..<17).flatMap { _ in host }) }
    #expect(throws: MultipeerError(.frame, "")) { try ConnectionData(head + [1, 4, 10, 0, 0, 1, 0, 0]) }
  }
}
