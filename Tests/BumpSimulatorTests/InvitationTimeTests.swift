#if os(Linux)
  import BumpSimulator
  import Foundation
  import MultipeerConnectivity
  import Testing

  extension SimulatorTests {
    /// How long an invitation waits, on a clock that the test moves.
    @Suite struct InvitationTimeTests {
      /// A program that keeps the questions that it is asked.
      fileprivate final class Program: NSObject, @unchecked Sendable {
        let session: MCSession
        let advertiser: MCNearbyServiceAdvertiser
        let browser: MCNearbyServiceBrowser
        private let lock = NSLock()
        private var heard = Heard()

        /// What its delegates were told, each on a queue of its own.
        struct Heard {
          var found: MCPeerID?
          var states: [MCSessionState] = []
          var answer: ((Bool, MCSession?) -> Void)?
          var judge: ((Bool) -> Void)?
        }

        var found: MCPeerID? { lock.withLock { heard.found } }
        var states: [MCSessionState] { lock.withLock { heard.states } }
        var answer: ((Bool, MCSession?) -> Void)? { lock.withLock { heard.answer } }
        var judge: ((Bool) -> Void)? { lock.withLock { heard.judge } }

        func hear(_ change: (inout Heard) -> Void) { lock.withLock { change(&heard) } }

        init(_ name: String) {
          let id = MCPeerID(displayName: name)
          session = MCSession(peer: id)
          advertiser = MCNearbyServiceAdvertiser(peer: id, discoveryInfo: nil, serviceType: "times")
          browser = MCNearbyServiceBrowser(peer: id, serviceType: "times")
          super.init()
          session.delegate = self
          advertiser.delegate = self
          browser.delegate = self
        }

        func invite(timeout: TimeInterval) throws {
          browser.invitePeer(try #require(found), to: session, withContext: nil, timeout: timeout)
        }
      }

      private static func scene(_ body: (Program, Program, Simulation) async throws -> Void) async throws {
        try await Simulator.run(nil) { simulation in
          let (alice, bob) = (Program("alice"), Program("bob"))
          bob.advertiser.startAdvertisingPeer()
          alice.browser.startBrowsingForPeers()
          await simulation.advance(by: .seconds(1))
          try await body(alice, bob, simulation)
        }
      }

      @Test(arguments: [0, -1, 30] as [TimeInterval])
      func `an invitation waits 30 seconds where the program gives no time`(timeout: TimeInterval) async throws {
        try await Self.scene { alice, bob, simulation in
          try alice.invite(timeout: timeout)
          await simulation.advance(by: .milliseconds(29_900))
          #expect(bob.answer != nil && alice.states.isEmpty)
          await simulation.advance(by: .milliseconds(300))
          #expect(alice.states == [.notConnected])
        }
      }

      @Test func `the time of an invitation does not cover the connecting that follows its answer`() async throws {
        try await Self.scene { alice, bob, simulation in
          try alice.invite(timeout: 2)
          await simulation.advance(by: .milliseconds(1_900))
          bob.answer?(true, bob.session)
          await simulation.advance(by: .seconds(5))
          #expect(alice.states == [.connecting] && bob.states == [.connecting])
          alice.judge?(true)
          bob.judge?(true)
          await simulation.advance(by: .seconds(1))
          #expect(alice.states == [.connecting, .connected] && bob.states == [.connecting, .connected])
        }
      }
    }
  }

  extension SimulatorTests.InvitationTimeTests.Program: MCNearbyServiceBrowserDelegate,
    MCNearbyServiceAdvertiserDelegate
  {
    func browser(
      _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) { hear { $0.found = peerID } }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}

    func advertiser(
      _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
      withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) { hear { $0.answer = invitationHandler } }
  }

  extension SimulatorTests.InvitationTimeTests.Program: StatesDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
      hear { $0.states.append(state) }
    }

    func session(
      _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
      certificateHandler: @escaping (Bool) -> Void
    ) { hear { $0.judge = certificateHandler } }
  }
#endif
