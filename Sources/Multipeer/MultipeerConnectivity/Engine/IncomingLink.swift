import BumpMultipeer
import BumpNoise
import Crypto

/// A connection whose purpose is not known yet, or whose invitation waits for the program's answer. Its methods run in
/// order with the connection's events.
final class IncomingLink: @unchecked Sendable {
  private let connection: any PeerConnection
  private let route: Route
  private let node: PeerNode
  private var link: Link
  private var timer: (any Scheduling)?
  private var ticket: [UInt8]?
  private var isOver = false

  init(_ connection: any PeerConnection, _ route: Route, _ node: PeerNode) {
    (self.connection, self.route, self.node) = (connection, route, node)
    link = Link(accepted: EphemeralKey(), times: node.times, at: node.now)
  }

  /// The address of the other host.
  var host: [UInt8] { route.remote.address }

  func begin() {
    connection.deliver { event in
      switch event {
      case .received(let bytes): self.handle(.received(bytes))
      case .closed: self.handle(.closed)
      case .writable: break
      }
    }
    setTimer()
  }

  /// Joins the session that knows this link's ticket now.
  func expected() { connection.execute { self.join() } }

  /// Closes the connection: a newer one takes its place.
  func displace() { connection.execute { self.handle(.close(.full)) } }

  private func handle(_ input: Link.Input) {
    guard !isOver else { return }
    for output in link.handle(input, at: node.now) {
      switch output {
      case .send(let bytes): connection.send(bytes)
      case .invited(let invitation): invited(invitation)
      case .lookUp(let ticket):
        self.ticket = ticket
        join()
      case .ended: end()
      // Other outputs come only after a session has taken the link.
      default: break
      }
    }
    if !isOver { setTimer() }
  }

  private func setTimer() {
    timer?.cancel()
    guard let deadline = link.deadline else { return }
    timer = connection.schedule(in: max(.zero, deadline - node.now)) { self.handle(.deadline) }
  }

  private func join() {
    guard !isOver, let ticket, let engine = node.engine(for: ticket, waiting: self) else { return }
    end(closing: false)
    engine.joined(link, ticket: ticket, connection, route)
  }

  private func invited(_ invitation: Invitation) {
    guard let advertiser = node.advertiser(invitation.to) else { return handle(.close(.unknown)) }
    advertiser.invited(invitation) { acceptance in
      self.connection.execute { self.answer(invitation, acceptance) }
    }
  }

  private func answer(_ invitation: Invitation, _ acceptance: Acceptance?) {
    guard !isOver else {
      acceptance?.engine.missed(invitation.from)
      return
    }
    guard let acceptance else { return handle(.answered(nil)) }
    end(closing: false)
    acceptance.engine.accepted(acceptance, link, invitation, connection, route)
  }

  private func end(closing: Bool = true) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    node.remove(self)
    if closing { connection.close() }
  }
}
