import Foundation
import MultipeerConnectivity

/// A table of the players nearby: find them, invite one, play, leave. It uses only the API of Apple's module.
final class PlayerTable: NSObject, @unchecked Sendable {
  /// A row of the table.
  struct Row: Equatable, Sendable {
    enum Status: Sendable { case nearby, invited, playing, gone }

    let name: String
    var status = Status.nearby
    var moves: [String] = []
  }

  /// The program's measures against failures that others have reported. Without them, it is like the first version of
  /// most programs.
  struct Habits: Sendable {
    /// Each player has one row, however often it is found.
    var hasOneRowEach = true
    /// Each attempt to connect has a session of its own.
    var renewsSessions = true
    /// The greatest number of times that a player is invited.
    var attempts = 20
    /// How long a player that was lost is still shown, in seconds.
    var patience: TimeInterval = 6
    /// A player whose moves are received is there, whatever was reported about it.
    var takesMovesForLife = true
  }

  /// Calls a function after a number of seconds.
  typealias Timer = @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void

  private static let serviceType = "nearby-players"

  let me: MCPeerID
  private let habits: Habits
  private let after: Timer
  private let lock = NSRecursiveLock()
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private var session: MCSession
  private var isUsed = false
  private var table: [(id: MCPeerID, row: Row, attempts: Int, losses: Int)] = []

  init(name: String, habits: Habits = Habits(), after: @escaping Timer) {
    (self.habits, self.after) = (habits, after)
    me = MCPeerID(displayName: name)
    advertiser = MCNearbyServiceAdvertiser(peer: me, discoveryInfo: nil, serviceType: Self.serviceType)
    browser = MCNearbyServiceBrowser(peer: me, serviceType: Self.serviceType)
    session = MCSession(peer: me, securityIdentity: nil, encryptionPreference: .required)
    super.init()
    advertiser.delegate = self
    browser.delegate = self
    session.delegate = self
  }

  var rows: [Row] { lock.withLock { table.map(\.row) } }

  /// Lets others find this player.
  func host() { advertiser.startAdvertisingPeer() }

  /// Looks for others.
  func look() { browser.startBrowsingForPeers() }

  func invite(_ name: String) {
    lock.withLock {
      guard let place = table.firstIndex(where: { $0.row.name == name }), table[place].row.status != .playing else {
        return
      }
      table[place].attempts += 1
      table[place].row.status = .invited
      browser.invitePeer(table[place].id, to: freshSession(), withContext: nil, timeout: 20)
    }
  }

  func play(_ move: String) throws {
    try lock.withLock { try session.send(Data(move.utf8), toPeers: session.connectedPeers, with: .reliable) }
  }

  func leave() { lock.withLock { session }.disconnect() }

  /// Returns the session for the next attempt.
  private func freshSession() -> MCSession {
    if isUsed, habits.renewsSessions {
      session.delegate = nil
      session = MCSession(peer: me, securityIdentity: nil, encryptionPreference: .required)
      session.delegate = self
    }
    isUsed = true
    return session
  }

  /// Changes the row of a player. Adds the row when the player is first heard of.
  private func change(_ id: MCPeerID, _ body: (inout (id: MCPeerID, row: Row, attempts: Int, losses: Int)) -> Void) {
    lock.withLock {
      let place = table.firstIndex { $0.id == id } ?? table.endIndex
      if place == table.endIndex { table.append((id, Row(name: id.displayName), 0, 0)) }
      body(&table[place])
    }
  }
}

extension PlayerTable: MCNearbyServiceBrowserDelegate {
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  {
    lock.withLock {
      guard habits.hasOneRowEach else { return table.append((peerID, Row(name: peerID.displayName), 0, 0)) }
      change(peerID) {
        $0.losses += 1
        if $0.row.status == .gone { $0.row.status = .nearby }
      }
    }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    change(peerID) { row in
      row.losses += 1
      let (loss, name) = (row.losses, row.row.name)
      after(habits.patience) { [weak self] in self?.takeOff(name, loss) }
    }
  }

  /// Takes a player off the table, unless it was found again meanwhile.
  private func takeOff(_ name: String, _ loss: Int) {
    lock.withLock { table.removeAll { $0.row.name == name && $0.losses == loss && $0.row.status != .playing } }
  }
}

extension PlayerTable: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    invitationHandler(true, lock.withLock { freshSession() })
  }
}

extension PlayerTable: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    change(peerID) { row in
      switch state {
      case .connecting: row.row.status = .invited
      case .connected: row.row.status = .playing
      default:
        let wasInvited = row.row.status == .invited
        row.row.status = .gone
        guard wasInvited, (1..<habits.attempts).contains(row.attempts) else { return }
        let name = row.row.name
        after(5) { [weak self] in self?.invite(name) }
      }
    }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    change(peerID) {
      $0.row.moves.append(String(decoding: data, as: UTF8.self))
      if habits.takesMovesForLife { $0.row.status = .playing }
    }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {}

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}
