#if os(Linux)
  import BumpFaults
  import BumpSimulator
  import Foundation
  import MultipeerConnectivity

  @testable import BumpSimulation

  /// A program of a golden timeline's scene, on MultipeerConnectivity: it does what the emulated one does, and writes down
  /// what each of its delegates is told, in the timeline's words.
  final class FacadeProgram: NSObject, @unchecked Sendable {
    /// The delegates, by what their methods begin with in a timeline.
    enum Delegate: String, CaseIterable, Sendable { case session, browser, advertiser }

    /// A peer that a timer of the program remembers. Apple's classes are not Sendable.
    private struct Remembered: @unchecked Sendable {
      let peer: MCPeerID
    }

    /// An invitation that the program has not answered yet.
    private struct Answer: @unchecked Sendable {
      let from: MCPeerID
      let handler: (Bool, MCSession?) -> Void
    }

    private struct SessionUse {
      let session: MCSession
      var attempts = 0
      var hasEnded = false
      var told: [MCPeerID: MCSessionState] = [:]
    }

    /// The programs of one run, by their peers.
    final class ProgramRegistry: @unchecked Sendable {
      private let lock = NSLock()
      private var names: [MCPeerID: String] = [:]

      func add(_ program: FacadeProgram) { lock.withLock { names[program.id] = program.name } }

      func name(of peer: MCPeerID) -> String {
        lock.withLock { names[peer] } ?? "\(peer.displayName) (earlier identity)"
      }
    }

    private static let resourceName = "photo"

    let name: String
    let id: MCPeerID
    private let cast: ProgramRegistry
    private let program: EmulatedProgram
    private let simulation: Simulation
    private let lock = NSRecursiveLock()
    private var log: [Delegate: [String]] = [:]
    private var browser: MCNearbyServiceBrowser
    private var advertiser: MCNearbyServiceAdvertiser
    private var uses: [SessionUse] = []
    private var found: [MCPeerID] = []
    private var attempt: MCPeerID?
    private var lastTarget: MCPeerID?
    private var triesLeft: Int
    private var hasLeft = false
    private var sends = 0
    private var file: URL?

    init(_ name: String, _ program: EmulatedProgram, in simulation: Simulation, _ cast: ProgramRegistry) {
      var program = program
      // Whose fault the profile is: these programs have it.
      if simulation.plan?.programs(of: .both).contains(.waits) == true { program.invites = .never }
      (self.name, self.program, self.simulation, self.cast) = (name, program, simulation, cast)
      id = MCPeerID(displayName: name)
      browser = MCNearbyServiceBrowser(peer: id, serviceType: "golden")
      advertiser = MCNearbyServiceAdvertiser(peer: id, discoveryInfo: program.info, serviceType: "golden")
      triesLeft = program.tries
      super.init()
      browser.delegate = self
      advertiser.delegate = self
      renewSession()
      cast.add(self)
    }

    deinit { if let file { try? FileManager.default.removeItem(at: file) } }

    func told(_ delegate: Delegate) -> [String] { lock.withLock { log[delegate] ?? [] } }

    private func note(_ delegate: Delegate, _ text: String) { log[delegate, default: []].append(text) }

    private func later(_ delay: Duration, _ body: @escaping @Sendable (FacadeProgram) -> Void) {
      simulation.after(delay, for: id) { [weak self] in
        guard let self else { return }
        lock.withLock { body(self) }
      }
    }

    func start() {
      lock.withLock {
        if program.advertises { advertiser.startAdvertisingPeer() }
        if program.browses { browser.startBrowsingForPeers() }
        if let time = program.browsesAnewAt {
          later(time) {
            $0.browser.stopBrowsingForPeers()
            $0.found = []
            $0.browser.startBrowsingForPeers()
          }
        }
        if let time = program.stopsDiscoveryAt {
          later(time) {
            if $0.program.browses { $0.browser.stopBrowsingForPeers() }
            if $0.program.advertises { $0.advertiser.stopAdvertisingPeer() }
          }
        }
        if let (time, info) = program.newInfo {
          later(time) {
            $0.advertiser.stopAdvertisingPeer()
            $0.advertiser = MCNearbyServiceAdvertiser(peer: $0.id, discoveryInfo: info, serviceType: "golden")
            $0.advertiser.delegate = $0
            $0.advertiser.startAdvertisingPeer()
          }
        }
      }
    }

    private func renewSession() {
      let session = MCSession(peer: id, securityIdentity: nil, encryptionPreference: .required)
      session.delegate = self
      uses.append(SessionUse(session: session))
    }

    private func place(of session: MCSession) -> Int { uses.firstIndex { $0.session === session } ?? 0 }

    private func mark(_ use: Int) -> String { use == 0 ? "" : " (session \(use + 1))" }

    // MARK: Inviting

    private func isInSession(with peer: MCPeerID) -> Bool {
      uses.contains { $0.told[peer] == .connected || $0.told[peer] == .connecting }
    }

    private func invite(_ peer: MCPeerID) {
      guard triesLeft > 0 else { return }
      triesLeft -= 1
      if let last = uses.last, last.hasEnded || last.attempts > 0, last.attempts >= program.triesPerSession,
        attempt == nil
      {
        renewSession()
      }
      (attempt, lastTarget) = (peer, peer)
      uses[uses.count - 1].attempts += 1
      browser.invitePeer(
        peer, to: uses[uses.count - 1].session, withContext: nil,
        timeout: TimeInterval(program.timeout.components.seconds))
    }

    private func retry() {
      guard attempt == nil, let last = lastTarget, let place = found.firstIndex(of: last) else { return }
      let target = found[(place + 1) % found.count]
      if !isInSession(with: target) { invite(target) }
    }

    // MARK: Connected

    private func begin(_ use: Int, _ peer: MCPeerID) {
      let other = Remembered(peer: peer)
      if let sending = program.sending { later(.milliseconds(100)) { $0.beat(use, other, sending.count) } }
      if let size = program.resource { send(use, peer, size) }
      if let delay = program.leavesAfter, !hasLeft {
        hasLeft = true
        later(delay) { $0.uses[use].session.disconnect() }
      }
    }

    private func beat(_ use: Int, _ other: Remembered, _ left: Int) {
      let peer = other.peer
      guard let sending = program.sending else { return }
      sends += 1
      guard uses[use].told[peer] == .connected else { return }
      let message = Data([UInt8(truncatingIfNeeded: sends >> 8), UInt8(truncatingIfNeeded: sends)])
      try? uses[use].session.send(
        message + Data(count: max(0, sending.bytes - 2)), toPeers: [peer],
        with: sending.isReliable ? .reliable : .unreliable)
      if left > 1 { later(sending.every) { $0.beat(use, other, left - 1) } }
    }

    private func send(_ use: Int, _ peer: MCPeerID, _ size: Int) {
      let url =
        file ?? FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")
      guard (try? Data(count: size).write(to: url)) != nil else { return }
      file = url
      uses[use].session.sendResource(at: url, withName: Self.resourceName, toPeer: peer) { [weak self] error in
        self?.lock.withLock {
          self?.note(.session, "sendResource \(Self.resourceName) \(error == nil ? "is complete" : "fails")")
        }
      }
    }
  }

  extension FacadeProgram: MCSessionDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
      lock.withLock {
        let use = place(of: session)
        uses[use].told[peerID] = state
        let text = ["notConnected", "connecting", "connected"][state.rawValue]
        note(.session, "\(text) \(cast.name(of: peerID))\(mark(use))")
        switch state {
        case .connecting: break
        case .connected:
          attempt = nil
          begin(use, peerID)
        case .notConnected:
          uses[use].hasEnded = true
          guard attempt == nil || attempt == peerID else { return }
          attempt = nil
          if triesLeft > 0, case .one = program.invites { later(program.pause) { $0.retry() } }
        }
      }
    }

    func session(
      _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
      certificateHandler: @escaping (Bool) -> Void
    ) {
      lock.withLock { note(.session, "didReceiveCertificate \(cast.name(of: peerID))") }
      certificateHandler(true)
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
      let number = data.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      lock.withLock { note(.session, "didReceive #\(number) from \(cast.name(of: peerID))") }
    }

    func session(
      _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
    ) {}

    func session(
      _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
      with progress: Progress
    ) {
      lock.withLock { note(.session, "didStartReceivingResource \(resourceName) from \(cast.name(of: peerID))") }
    }

    func session(
      _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
      at localURL: URL?, withError error: (any Error)?
    ) {
      let outcome = localURL == nil ? ", at nil, error" : " from \(cast.name(of: peerID))"
      lock.withLock { note(.session, "didFinishReceivingResource \(resourceName)\(outcome)") }
    }
  }

  extension FacadeProgram: MCNearbyServiceAdvertiserDelegate {
    func advertiser(
      _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
      withContext context: Data?,
      invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
      lock.withLock { note(.advertiser, "didReceiveInvitation \(cast.name(of: peerID))") }
      let answer = Answer(from: peerID, handler: invitationHandler)
      guard program.answersAfter > .zero else { return self.answer(answer) }
      later(program.answersAfter) { $0.answer(answer) }
    }

    private func answer(_ answer: Answer) {
      let session = lock.withLock {
        let peerID = answer.from
        let isUsed = uses.last.map { $0.hasEnded || $0.told[peerID] == .connected } ?? true
        if isUsed, program.renewsSession { renewSession() }
        return uses[uses.count - 1].session
      }
      answer.handler(true, session)
    }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
      lock.withLock { note(.advertiser, "didNotStartAdvertisingPeer \((error as NSError).code)") }
    }
  }

  extension FacadeProgram: MCNearbyServiceBrowserDelegate {
    func browser(
      _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
      lock.withLock {
        note(.browser, "foundPeer \(cast.name(of: peerID))\(MultipeerEmulation.text(of: info ?? [:]))")
        if !found.contains(peerID) { found.append(peerID) }
        switch program.invites {
        case .never: break
        case .each: invite(peerID)
        case .one: if attempt == nil, !isInSession(with: peerID), lastTarget == nil { invite(peerID) }
        }
      }
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
      lock.withLock { note(.browser, "lostPeer \(cast.name(of: peerID))") }
    }

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
      lock.withLock { note(.browser, "didNotStartBrowsingForPeers \((error as NSError).code)") }
    }
  }
#endif
