import BumpKit
import BumpTesting
import BumpWire
import Glibc
import Lab
import NIOCore
import Testing

@testable import BumpDoctor

@Suite(.processes()) struct PeerTests {
  /// Somebody who hears HELLO and says these bytes.
  ///
  /// - Parameter limit: of use only where nothing is said: all else is an answer at once.
  private func answer(
    _ bytes: [UInt8], thenCloses: Bool = false, within limit: Duration = .hang
  ) async throws -> PeerProbe.Answer {
    let network = InMemoryNetwork()
    let listener = try await network.listen(port: 0)
    let peer = Endpoint.address(try InMemoryNetwork.address(port: listener.port))
    async let serving: Void = listener.accept { connection in
      await connection.receive { _ in
        if !bytes.isEmpty { connection.send(bytes) }
        if thenCloses { connection.close() }
      }
    }
    let answer = await PeerProbe(peer: peer, transport: network).run(connecting: .hang, talking: limit)
    listener.close()
    await serving
    return answer
  }

  private func welcome(_ mode: Mode) -> [UInt8] {
    Welcome(mode: mode, nonce: .init(repeating: 1, count: 16), commit: .init(repeating: 2, count: 32)).frame.bytes
  }

  @Test(arguments: Mode.allCases)
  func `of a sender WELCOME is enough, in each mode`(mode: Mode) async throws {
    #expect(try await answer(welcome(mode)) == .welcome(mode))
  }

  @Test func `after HELLO nothing more is said`() async throws {
    let network = InMemoryNetwork()
    let listener = try await network.listen(port: 0)
    let (heard, feed) = AsyncStream.makeStream(of: [UInt8].self)
    async let serving: Void = listener.accept { connection in
      await connection.receive { bytes in
        feed.yield(bytes)
        connection.send(self.welcome(.open))
      }
      feed.finish()
    }
    let peer = Endpoint.address(try InMemoryNetwork.address(port: listener.port))
    #expect(await PeerProbe(peer: peer, transport: network).run() == .welcome(.open))
    let said = await heard.reduce(into: [UInt8]()) { $0 += $1 }
    #expect(said.count == 2 + 22 && said[2] == FrameType.hello.rawValue)
    listener.close()
    await serving
  }

  @Test(arguments: [AbortReason.busy, .version])
  func `a sender that gives up says why`(reason: AbortReason) async throws {
    #expect(try await answer(reason.frame.bytes) == .gaveUp(reason))
  }

  @Test func `an echo, a web server and silence are no senders`() async throws {
    #expect(try await answer(Hello(nonce: .init(repeating: 1, count: 16)).frame.bytes) == .stranger)
    #expect(try await answer(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) == .stranger)
    #expect(try await answer([], within: .milliseconds(100)) == .silent)
    #expect(try await answer([], thenCloses: true) == .closed)
  }

  @Test(arguments: [
    (PeerProbe.Answer.welcome(.code), Finding.Severity.ok, "with a code"), (.welcome(.key), .ok, "with a key"),
    (.gaveUp(.busy), .note, "busy"), (.gaveUp(.version), .problem, "bump --version"),
    (.gaveUp(.protocolError), .problem, "bump --version"),
    (.noSuchHost, .problem, "no host has that name"), (.refused, .problem, "bump send 1.00 --port 4000"),
    (.unreachable("no route to host"), .problem, "ip route get 192.0.2.7"),
    (.rejected(by: "192.0.2.7"), .problem, "a firewall on that machine rejects"),
    (.nobody, .problem, "client isolation"),
    (.stoppedHere, .problem, "a firewall of this machine"), (.welcome(.open), .ok, "without code or key"),
    (.noAnswer, .problem, "open TCP port 4000"), (.closed, .problem, "closes"), (.silent, .problem, "says nothing"),
    (.stranger, .problem, "does not speak"),
  ])
  func `an answer is judged`(answer: PeerProbe.Answer, severity: Finding.Severity, words: String) throws {
    let findings = PeerCheck.judge(answer, of: try #require(Endpoint("192.0.2.7:4000")))
    #expect(findings.map(\.severity) == [severity])
    let said = findings.map { [$0.what, $0.cause ?? "", $0.remedy ?? ""].joined(separator: " ") }.joined()
    #expect(said.contains(words), "\(said)")
    if severity == .problem { #expect(findings.allSatisfy { $0.cause != nil && $0.remedy != nil }) }
  }

  /// A response that lists a sender.
  private static func listing(_ name: String) -> [UInt8] {
    var response = Question.query(for: [name] + Question.labels(of: .irlBump))
    (response[2], response[7]) = (0x84, 1)
    return response
  }

  private static let listed: [(String, Int, [UInt8]?, Bool?)] = [
    // The peer itself, whatever its machine says.
    ("192.0.2.7", 4000, nil, true),
    // Another machine with that port: it is the peer only by the word of the peer's machine.
    ("192.0.2.8", 4000, listing("bob-0123456789abcdef"), false),
    ("192.0.2.8", 4000, nil, nil),
    ("192.0.2.8", 4000, listing("alice-7f3a91c2d4e5b607"), true),
    // Another sender of the same machine.
    ("192.0.2.7", 4001, listing("alice-7f3a91c2d4e5b607"), false),
  ]

  @Test(arguments: listed)
  func `a sender of another machine with the same port is not taken for the peer`(
    host: String, port: Int, direct: [UInt8]?, isFound: Bool?
  ) throws {
    let peer = try SocketAddress(ipAddress: "192.0.2.7", port: 4000)
    let place = try SocketAddress(ipAddress: host, port: port)
    let sender = SendersCheck.Sender(
      name: "alice-7f3a91c2d4e5b607", candidates: [.init(address: place, interface: 2, likelihood: .onLink)])
    #expect(PeerCheck.isFound(peer, among: [sender], direct: direct) == isFound)
    #expect(PeerCheck.isFound(peer, among: [], direct: direct) == false)
  }

  private static let sights: [(Bool?, [Finding.Severity])] = [(true, [.ok]), (false, [.ok, .note]), (nil, [.ok])]

  @Test(arguments: sights)
  func `a peer that is reached and not found tells of multicast DNS`(
    isFound: Bool?, severities: [Finding.Severity]
  ) throws {
    let peer = try #require(Endpoint("192.0.2.7:4000"))
    #expect(PeerCheck.judge(.welcome(.open), of: peer, .init(isFound: isFound)).map(\.severity) == severities)
    guard isFound == false else { return }
    let told = PeerCheck.judge(.welcome(.open), of: peer, .init(isFound: false, tellsDirectly: true))
    #expect(told.map(\.severity) == [.ok, .problem], "it does announce itself")
  }
}
