#if os(Linux)
  import BumpSimulator
  import Foundation
  import MultipeerConnectivity
  import Testing

  extension SimulatorTests {
    /// Programs that go to the background when a test says so.
    @Suite struct BackgroundTests {
      /// Alice has found bob, invited him, and is connected to him.
      private static func scene(
        _ body: (BackgroundProgram, BackgroundProgram, Simulation) async throws -> Void
      ) async throws {
        try await Simulator.run(nil) { simulation in
          let (alice, bob) = (BackgroundProgram("alice"), BackgroundProgram("bob"))
          bob.advertiser.startAdvertisingPeer()
          bob.browser.startBrowsingForPeers()
          alice.browser.startBrowsingForPeers()
          await simulation.advance(by: .seconds(1))
          try alice.invite("bob")
          await simulation.advance(by: .seconds(1))
          #expect(alice.takeNews() == ["found bob", "connected to bob"])
          #expect(bob.takeNews() == ["connected to alice"])
          try await body(alice, bob, simulation)
        }
      }

      @Test func `a program in the background drops out of its session and is lost, and returns without its session`()
        async throws
      {
        try await Self.scene { alice, bob, simulation in
          simulation.enterBackground(bob.id)
          await simulation.advance(by: .seconds(1))
          #expect(alice.takeNews().sorted() == ["lost bob", "not connected to bob"])
          #expect(throws: MCError.self) {
            try alice.session.send(Data(), toPeers: [bob.id], with: .reliable)
          }
          await simulation.advance(by: .seconds(60))
          #expect(bob.takeNews().isEmpty)
          simulation.enterForeground(bob.id)
          await simulation.advance(by: .seconds(1))
          #expect(alice.takeNews() == ["found bob"])
          #expect(bob.takeNews() == ["not connected to alice"])
          // Advertising and browsing go on: with a new invitation all is as before.
          try alice.invite("bob")
          await simulation.advance(by: .seconds(1))
          #expect(alice.takeNews() == ["connected to bob"])
          #expect(bob.takeNews() == ["connected to alice"])
        }
      }

      @Test func `until the others notice, what they send is lost without an error`() async throws {
        try await Self.scene { alice, bob, simulation in
          simulation.enterBackground(bob.id, noticedAfter: .seconds(5))
          await simulation.advance(by: .milliseconds(4_900))
          try alice.session.send(Data(), toPeers: [bob.id], with: .reliable)
          #expect(alice.takeNews().isEmpty && alice.session.connectedPeers == [bob.id])
          await simulation.advance(by: .milliseconds(200))
          #expect(alice.takeNews().sorted() == ["lost bob", "not connected to bob"])
          simulation.enterForeground(bob.id)
          await simulation.advance(by: .seconds(1))
          #expect(bob.takeNews() == ["not connected to alice"])
        }
      }

      @Test func `a program that returns before the others notice has lost its session all the same`() async throws {
        try await Self.scene { alice, bob, simulation in
          simulation.enterBackground(bob.id, noticedAfter: .seconds(5))
          await simulation.advance(by: .seconds(1))
          simulation.enterForeground(bob.id)
          await simulation.advance(by: .seconds(30))
          #expect(alice.takeNews().sorted() == ["found bob", "lost bob", "not connected to bob"])
          #expect(bob.takeNews() == ["not connected to alice"])
          #expect(alice.session.connectedPeers.isEmpty && bob.session.connectedPeers.isEmpty)
        }
      }

      @Test func `a program in the background finds nobody, and on its return whoever is still there`() async throws {
        try await Self.scene { alice, bob, simulation in
          simulation.enterBackground(bob.id)
          let (carol, dave) = (BackgroundProgram("carol"), BackgroundProgram("dave"))
          for program in [carol, dave] { program.advertiser.startAdvertisingPeer() }
          await simulation.advance(by: .seconds(1))
          dave.advertiser.stopAdvertisingPeer()
          await simulation.advance(by: .seconds(1))
          #expect(bob.takeNews().isEmpty)
          simulation.enterForeground(bob.id)
          await simulation.advance(by: .seconds(1))
          #expect(bob.takeNews().sorted() == ["found carol", "not connected to alice"])
          #expect(alice.takeNews().contains("lost dave"))
        }
      }

      @Test func `a timer of a program in the background waits for its return`() async throws {
        try await Self.scene { alice, bob, simulation in
          simulation.after(.seconds(2), for: bob.id) { bob.note("timer") }
          simulation.enterBackground(bob.id)
          await simulation.advance(by: .seconds(60))
          #expect(bob.takeNews().isEmpty)
          simulation.enterForeground(bob.id)
          await simulation.advance(by: .zero)
          #expect(bob.takeNews().contains("timer"))
        }
      }
    }
  }

  /// A program that writes down what it is told, but for what comes before `connected`.
  private final class BackgroundProgram: NSObject, @unchecked Sendable {
    let id: MCPeerID
    let session: MCSession
    let advertiser: MCNearbyServiceAdvertiser
    let browser: MCNearbyServiceBrowser
    private let lock = NSLock()
    private var news: [String] = []
    private var found: [String: MCPeerID] = [:]

    init(_ name: String) {
      id = MCPeerID(displayName: name)
      session = MCSession(peer: id)
      advertiser = MCNearbyServiceAdvertiser(peer: id, discoveryInfo: nil, serviceType: "away")
      browser = MCNearbyServiceBrowser(peer: id, serviceType: "away")
      super.init()
      session.delegate = self
      advertiser.delegate = self
      browser.delegate = self
    }

    func invite(_ name: String) throws {
      let peer = try #require(lock.withLock { found[name] })
      browser.invitePeer(peer, to: session, withContext: nil, timeout: 30)
    }

    func note(_ text: String) { lock.withLock { news.append(text) } }

    /// What it was told since the last time.
    func takeNews() -> [String] {
      lock.withLock {
        defer { news = [] }
        return news
      }
    }
  }

  extension BackgroundProgram: MCNearbyServiceBrowserDelegate, MCNearbyServiceAdvertiserDelegate {
    func browser(
      _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
      lock.withLock { found[peerID.displayName] = peerID }
      note("found \(peerID.displayName)")
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { note("lost \(peerID.displayName)") }

    func advertiser(
      _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
      withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) { invitationHandler(true, session) }
  }

  extension BackgroundProgram: StatesDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
      switch state {
      case .connected: note("connected to \(peerID.displayName)")
      case .notConnected: note("not connected to \(peerID.displayName)")
      case .connecting: break
      }
    }
  }
#endif
