import BumpClaims
import BumpTesting
import BumpWire
import Crypto
import Foundation
import Lab
import Measures
import Testing

extension HostileTests {
  /// A sender of cards that does not send what it offered, and a real receiver. The sender is in this process. Where it
  /// stops, the receiver waits for a minute in all.
  @Suite(.processes(1, isLong: true)) struct CardTests {
    enum Cheat: String, CaseIterable {
      case sendsAnother, sendsLess, sendsMore, stops, hangsUp, sendsNoCard, sendsAClaim
    }

    @Test(arguments: Cheat.allCases)
    func `nothing is saved of what was not offered`(cheat: Cheat) async throws {
      try await withUsers { _, receiver in
        let folder = "\(receiver.directory)/cards"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let received = try await cheat.serve(on: Socket.listening()) { port in
          let command = ["receive", "--save", folder, "--peer", "127.0.0.1:\(port)", "--json"]
          return try await receiver.start(command).finish()
        }
        try cheat.expectNothing(of: received)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(try await receiver.history().isEmpty)
      }
    }

    @Test(arguments: Measure.isThorough ? Cheat.allCases : [.sendsAnother, .stops])
    func `nothing is saved of what a sender on another host did not offer`(cheat: Cheat) async throws {
      try await withTwoHosts(daemons: .none) { left, right, _ in
        let bob = try BumpCommand("bob", on: right)
        try FileManager.default.createDirectory(atPath: right.path("/run/cards"), withIntermediateDirectories: false)
        let received = try await cheat.serve(on: inNetwork(of: left) { try Socket.listening(at: INADDR_ANY) }) { port in
          try await bob.run("receive", "--save", "/run/cards", "--peer", "\(Link.ipv4(host: 1)):\(port)", "--json")
        }
        try cheat.expectNothing(of: received)
        #expect(try FileManager.default.contentsOfDirectory(atPath: right.path("/run/cards")).isEmpty)
      }
    }
  }
}

extension HostileTests.CardTests.Cheat {
  /// Cheats whoever connects to a listener, while a receiver runs to its end, and closes the listener.
  fileprivate func serve(
    on server: (Socket, UInt16), whileRunning receive: (UInt16) async throws -> ProcessResult
  ) async throws -> ProcessResult {
    let (listener, port) = server
    let serving = DispatchGroup()
    serving.enter()
    Thread.detachNewThread {
      // A receiver comes to one sender three times.
      while let socket = try? listener.accepted() {
        try? RogueCardSender(self).talk(on: socket)
        socket.close()
      }
      serving.leave()
    }
    let received: Result<ProcessResult, any Error>
    do { received = .success(try await receive(port)) } catch { received = .failure(error) }
    listener.end()
    await withCheckedContinuation { continuation in serving.notify(queue: .global()) { continuation.resume() } }
    listener.close()
    return try received.get()
  }

  /// Expects that a receiver has seen the offer, and has neither saved nor shown anything of a card.
  fileprivate func expectNothing(of received: ProcessResult) throws {
    #expect(received.status == (self == .sendsAnother || self == .sendsNoCard ? 6 : 3), "\(received)")
    let names = try received.events.map { $0.string("event") }
    #expect(names.contains("documentOffer"), "\(received)")
    let results = try received.events.filter { $0.string("event") == "result" }
    #expect(results.count == 1 && results.first?.string("outcome") != "saved", "\(received)")
    #expect(!"\(received)".contains("Jo Public"), "nothing of it is shown")
  }
}

/// A sender of a card of 3000 bytes, up to where it cheats.
private struct RogueCardSender {
  private struct Left: Error {}

  private let cheat: HostileTests.CardTests.Cheat
  private let card: [UInt8]
  private var peer = ScriptedPeer(.sender)

  init(_ cheat: HostileTests.CardTests.Cheat) {
    self.cheat = cheat
    let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nNOTE:"
    let tail = "\r\nEND:VCARD\r\n"
    let note = String(repeating: "x", count: 3000 - head.utf8.count - tail.utf8.count)
    card = Array((cheat == .sendsNoCard ? String(repeating: " ", count: 3000) : head + note + tail).utf8)
  }

  func talk(on socket: Socket) throws {
    var rogue = self
    try rogue.hear(socket)
    socket.write(rogue.peer.welcome())
    try rogue.hear(socket)
    socket.write(try rogue.peer.noise())
    let offer = try DocumentOffer(
      kind: .card, length: card.count, digest: Array(SHA256.hash(data: card)), from: DisplayName("alice"))
    try rogue.say(.offer(offer.json), on: socket)
    // ACCEPT.
    try rogue.hear(socket)
    for message in rogue.lies { try rogue.say(message, on: socket) }
    if cheat == .hangsUp { return }
    // What the receiver says of it, or that it leaves.
    _ = socket.readFrame()
  }

  private var lies: [Message] {
    switch cheat {
    case .sendsAnother: chunks(card.dropLast(20) + "yyyyy".utf8 + card.suffix(15))
    case .sendsLess: chunks(card.dropLast())
    case .sendsMore: chunks(card + [0])
    case .stops, .hangsUp: Array(chunks(card[...]).prefix(2))
    case .sendsNoCard: chunks(card[...])
    case .sendsAClaim: [.claim(mac: [UInt8](repeating: 0, count: 32), payload: Array("{}".utf8))]
    }
  }

  private func chunks(_ bytes: some Collection<UInt8>) -> [Message] {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count, by: 1056).map { .chunk(Array(bytes[$0...].prefix(1056))) }
  }

  private mutating func hear(_ socket: Socket) throws {
    guard let frame = socket.readFrame() else { throw Left() }
    _ = try peer.read(frame)
  }

  private mutating func say(_ message: Message, on socket: Socket) throws {
    socket.write(try peer.seal(message))
  }
}
