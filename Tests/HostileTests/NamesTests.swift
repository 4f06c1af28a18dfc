import BumpClaims
import BumpTesting
import BumpText
import BumpWire
import Foundation
import Lab
import Testing

extension HostileTests {
  /// Somebody who keeps to the protocol under a name that would drive or deceive the person's terminal.
  @Suite(.processes()) struct NamesTests {
    static let names: [String: (given: String, shown: String)] = [
      "the clipboard (OSC 52)": ("\u{1B}]52;c;cm0gLXJm\u{7}", #"\u{1b}]52;c;cm0gLXJm\u{7}"#),
      "a cleared screen": ("bob\u{1B}[2J\u{9B}H", #"bob\u{1b}[2J\u{9b}H"#),
      "more lines": ("bob\r\nSend? [y/n] y\u{2028}", #"bob\u{d}\u{a}Send? [y/n] y…"#),
      "a bidirectional override": ("b\u{202E}bo\u{2066}", #"b\u{202e}bo\u{2066}"#),
      "zero width": ("b\u{200B}o\u{200D}b\u{FEFF}", #"b\u{200b}o\u{200d}b\u{feff}"#),
      "marks alone": (String(repeating: "\u{334}", count: 31), String(repeating: #"\u{334}"#, count: 4) + "…"),
      "nothing": ("", "(no name)"), "blanks": ("   ", "(no name)"),
    ]

    @Test(arguments: names)
    func `a sender asks about a receiver's name on one harmless line`(
      what: String, name: (given: String, shown: String)
    ) async throws {
      try await withUsers { alice, _ in
        let sending = try await alice.start(
          ["send", "--amount", "1.00", "--discovery", "none", "--discovery-timeout", "60", "--verify"],
          streams: .terminalButOutput)
        let line = try await sending.line(on: .error) { $0.contains("Listening on port ") }
        let port = try #require(line.firstMatch(of: /\d+/).flatMap { UInt16($0.output) })
        let stranger = Stranger(.receiver, { try Socket.connected(to: port) }) { peer, socket in
          socket.write(peer.hello())
          _ = try peer.read(socket.readFrame() ?? [])
          socket.write(try peer.noise())
          _ = try peer.read(socket.readFrame() ?? [])
          socket.write(try peer.seal(.accept(DisplayName(name.given))))
        }
        try await sending.text("? Send 1.00 USDC? [y/n] ", on: .error)
        expectHarmless(sending, "\"\(name.shown)\" accepts 1.00 USDC.")
        sending.type("n\n")
        #expect(try await sending.finish().status == 4)
        await stranger.gone()
      }
    }

    @Test(arguments: names)
    func `a receiver asks about a sender's name on one harmless line`(
      what: String, name: (given: String, shown: String)
    ) async throws {
      try await withUsers { _, bob in
        let (listener, port) = try Socket.listening()
        let receiving = try await bob.start(
          ["receive", "--peer", "127.0.0.1:\(port)", "--verify"], streams: .terminalButOutput)
        let stranger = Stranger(.sender, listener.accepted) { peer, socket in
          _ = try peer.read(socket.readFrame() ?? [])
          socket.write(peer.welcome())
          _ = try peer.read(socket.readFrame() ?? [])
          socket.write(try peer.noise())
          let offer = Offer(
            claimID: try ClaimID("theirs"), token: .usdc, amount: try Amount("1.00"),
            expiry: try #require(Expiry(unixSeconds: 4_000_000_000)), from: try DisplayName(name.given))
          socket.write(try peer.seal(.offer(offer.json)))
        }
        try await receiving.text("? Accept 1.00 USDC? [y/n] ", on: .error)
        expectHarmless(receiving, "\"\(name.shown)\" offers 1.00 USDC.")
        receiving.type("n\n")
        #expect(try await receiving.finish().status == 4)
        await stranger.gone()
        listener.close()
      }
    }

    /// The terminal has the line, and nothing but plain text besides what the program itself does to it: it erases what it
    /// is waiting for.
    private func expectHarmless(_ process: RunningProcess, _ line: String) {
      let lines = process.standardError.lines.map { line in
        line.ranges(of: "\r\u{1B}[K").last.map { String(line[$0.upperBound...]) } ?? line
      }
      #expect(lines.contains(line), "\(process)")
      let text = lines.joined().unicodeScalars.filter { $0 != "\\" }
      #expect(text.allSatisfy { VisibleText.isPlain("a" + String($0)) }, "\(lines)")
    }
  }
}

/// The other end of one connection, in a thread of its own.
private final class Stranger: Sendable {
  private let thread = DispatchGroup()

  /// - Parameter talk: what it says, up to where it waits for the other end to hang up.
  init(
    _ role: ScriptedPeer.Role, _ connect: @escaping @Sendable () throws -> Socket,
    talk: @escaping @Sendable (inout ScriptedPeer, Socket) throws -> Void
  ) {
    thread.enter()
    Thread.detachNewThread { [thread] in
      defer { thread.leave() }
      // Where there is no connection, or it ends early, the test misses what it waits for.
      guard let socket = try? connect() else { return }
      var peer = ScriptedPeer(role)
      try? talk(&peer, socket)
      while socket.readFrame() != nil {}
      socket.close()
    }
  }

  func gone() async {
    await withCheckedContinuation { continuation in
      thread.notify(queue: .global()) { continuation.resume() }
    }
  }
}
