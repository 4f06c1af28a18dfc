import BumpMultipeer
import BumpNoise
import Crypto
import Foundation
import Lab
import NIOCore

@testable import MultipeerConnectivity

/// A peer that is in a session by the book, and then sends what it likes. Everything happens on its event loop: a test's task
/// may wait for longer than the other end does.
final class HostilePeer: @unchecked Sendable {
  /// On the event loop alone.
  private var link: BumpMultipeer.Link
  private var connection: LinkConnection?
  /// What happened, by name.
  private let log = ObservedValue<[String]>([])

  /// Connects to this process, and sends nothing.
  static func connect() async throws -> LinkConnection {
    let port = try PeerNode.shared.listeningPort()
    return try await NetworkEnvironment().connect(to: SocketAddress(ipAddress: "127.0.0.1", port: Int(port))).get()
  }

  /// - Parameter identity: the identity that it claims; `nil` for one of its own.
  init(_ name: String, invites invited: Player, as identity: PeerID? = nil) async throws {
    var generator = PeerNode.shared.environment.random
    guard let peer = Peer(id: identity ?? PeerID(using: &generator), name: name) else {
      throw MultipeerError(.frame, "no name")
    }
    let terms = Terms(peer: peer, session: PeerID(using: &generator), preference: .optional, port: 9)
    let (link, hello) = try BumpMultipeer.Link.inviting(
      Invitation(from: peer, to: invited.id.peer.id), terms: terms, until: PeerNode.shared.now + .hang,
      ephemeral: EphemeralKey(), at: PeerNode.shared.now)
    self.link = link
    let port = try PeerNode.shared.listeningPort()
    try await NetworkEnvironment().connect(to: SocketAddress(ipAddress: "127.0.0.1", port: Int(port)))
      .map { connection in
        self.connection = connection
        connection.deliver { event in
          switch event {
          case .received(let bytes): self.handle(.received(bytes))
          case .closed: self.handle(.closed)
          case .writable: break
          }
        }
        connection.send(hello)
      }.get()
  }

  private func handle(_ input: BumpMultipeer.Link.Input) {
    for output in link.handle(input, at: PeerNode.shared.now) {
      switch output {
      case .send(let bytes): connection?.send(bytes)
      case .began: handle(.proceed(IdentityKey()))
      case .terms: handle(.judged(true))
      case .connected: log.change { $0.append("connected") }
      case .ended(let ending): log.change { $0.append("\(ending)") }
      case .frame(let frame): log.change { $0.append("\(frame)") }
      default: break
      }
    }
  }

  func send(_ frames: LinkFrame...) {
    connection?.execute { for frame in frames { self.handle(.send(frame)) } }
  }

  func send(raw bytes: [UInt8]) { connection?.send(bytes) }

  func saw(_ text: String) async throws {
    try await withTimeout(.hang, "\(text), of \(log.value)") { [log] in
      try await log.wait { $0.contains { $0.contains(text) } ? () : nil }
    }
  }
}
