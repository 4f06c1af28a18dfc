import Foundation
import MultipeerConnectivity

/// Measures a session with a `Server` on the other host.
final class Driver {
  private let peer: Peer
  private let preference: MCEncryptionPreference
  private let server: MCPeerID

  /// Finds a server and connects.
  init(_ preference: MCEncryptionPreference) throws {
    self.preference = preference
    peer = Peer(preference)
    peer.connect()
    guard let server = peer.session.connectedPeers.first else { throw MCError(.notConnected) }
    self.server = server
  }

  private func send(_ data: Data) throws { try peer.session.send(data, toPeers: [server], with: .reliable) }

  private func ask(_ question: String) throws -> Int {
    try send(Data(question.utf8))
    return Int(String(decoding: peer.receive(), as: UTF8.self)) ?? -1
  }

  /// From `foundPeer` to `.connected`, by peers that come one after the other.
  static func connects(_ count: Int, _ preference: MCEncryptionPreference) -> [Figure] {
    let times = (0..<count).map { _ in
      let peer = Peer(preference)
      defer { peer.leave() }
      return peer.connect()
    }
    return [
      Figure(
        name: "found to connected, median of \(count)", value: times.median, unit: "ms", bound: .atMost(100),
        detail: "slowest \(Figure.text(times.max() ?? .nan)) ms")
    ]
  }

  /// Messages that the server sends back, and frames that a server without a session does, in turns: a machine that does
  /// something else meanwhile slows both.
  func throughput(beside echo: Echo.Client, rounds: Int) throws -> [Figure] {
    let frames = 2048
    var (sessions, echoes): ([Double], [Double]) = ([], [])
    // The first round warms both up.
    for round in 0...rounds {
      let plain = try echo.run(frames)
      let ours = try messages(frames)
      if round > 0 {
        echoes.append(plain)
        sessions.append(ours)
      }
    }
    let ratios = zip(sessions, echoes).map { $0 / $1 }
    return [
      Figure(
        name: "of the echo on NIO, median of \(rounds)", value: ratios.median, unit: "", bound: .atLeast(0.5),
        detail: """
          \(Figure.text(sessions.median)) and \(Figure.text(echoes.median)) MB/s, \
          from \(Figure.text(ratios.quantile(0))) to \(Figure.text(ratios.quantile(1)))
          """)
    ]
  }

  private func messages(_ count: Int) throws -> Double {
    let message = Data([UInt8(ascii: "E")]) + Data(count: Main.frame - 1)
    let begun = ContinuousClock.now
    for number in 0..<count {
      try send(message)
      if number >= Main.window { _ = peer.receive() }
    }
    for _ in 0..<min(count, Main.window) { _ = peer.receive() }
    return Double(count * Main.frame) / begun.seconds / 1e6
  }

  /// Messages of 1 KiB, all given at once.
  func inOrder(_ count: Int) throws -> [Figure] {
    try send(Data("F".utf8))
    var message = Data([UInt8(ascii: "N")]) + Data(count: 1023)
    let begun = ContinuousClock.now
    for number in 0..<UInt64(count) {
      for place in 0..<8 { message[1 + place] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * place)) }
      try send(message)
    }
    let arrived = try ask("Q")
    let milliseconds = begun.milliseconds.rounded()
    return [
      Figure(
        name: "messages of 1 KiB in order", value: Double(arrived), unit: "", bound: .atLeast(Double(count)),
        detail: "\(Figure.text(milliseconds)) ms")
    ]
  }

  /// A resource, from a file without blocks on the disk.
  func resource(_ bytes: UInt64) throws -> [Figure] {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("figures-\(UUID().uuidString)")
    try Data().write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    guard truncate(url.path, Int(bytes)) == 0 else { throw POSIXError(.EIO) }
    try send(Data("F".utf8))
    Memory.forgetPeak()
    let begun = ContinuousClock.now
    let end = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failure: (any Error)?
    peer.session.sendResource(at: url, withName: "file", toPeer: server) { error in
      failure = error
      end.signal()
    }
    end.wait()
    if let failure { throw failure }
    let rate = (Double(bytes) / begun.seconds / 1e6).rounded()
    let (here, there) = (Memory.peak, try ask("M"))
    return [
      Figure(
        name: "memory at the sender of a resource of \(bytes >> 20) MiB", value: Double(here), unit: "MiB",
        bound: .atMost(63), detail: "\(Figure.text(rate)) MB/s"),
      Figure(
        name: "memory at its receiver", value: Double(there), unit: "MiB", bound: .atMost(63)),
    ]
  }

  func leave() { peer.leave() }
}
