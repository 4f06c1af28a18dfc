import BumpMultipeer
import Foundation
import Testing

@testable import MultipeerConnectivity

/// What ends a program, as it does on Apple's systems, and what does not.
@Suite struct ArgumentTests {
  @Test(arguments: ["a", "stage", "MKSVC", "a-b-c", "1a", "exactly15letter"])
  func `a service type of 1 to 15 letters, digits and single inner hyphens is taken`(type: String) {
    let peer = MCPeerID(displayName: "alice")
    #expect(MCNearbyServiceBrowser(peer: peer, serviceType: type).serviceType == type)
    #expect(MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: nil, serviceType: type).serviceType == type)
  }

  @Test func `an empty service type ends the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = MCNearbyServiceBrowser(peer: MCPeerID(displayName: "alice"), serviceType: "")
    }
  }

  @Test func `a service type that breaks the rule ends the program, and says of which class`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MCNearbyServiceAdvertiser(peer: MCPeerID(displayName: "alice"), discoveryInfo: nil, serviceType: "a--b")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Invalid serviceType passed to MCNearbyServiceAdvertiser"))
  }

  @Test(arguments: ["", "-a", "a-", "a--b", "12", "sixteen-letters-", "a_b", "ä", "_a._tcp"])
  func `a service type outside the rule is none`(type: String) {
    #expect(Arguments.parsed(serviceType: type) == nil)
  }

  @Test func `a display name that is empty or has 64 bytes ends the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MCPeerID(displayName: "")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Invalid displayName passed to MCPeerID"))
    await #expect(processExitsWith: .failure) { _ = MCPeerID(displayName: String(repeating: "é", count: 32)) }
    #expect(MCPeerID(displayName: String(repeating: "é", count: 31) + "x").displayName.utf8.count == 63)
  }

  @Test func `discovery info of more than 1,230 bytes ends the program, and all of less is announced`() async throws {
    await #expect(processExitsWith: .failure) {
      let info = Dictionary(uniqueKeysWithValues: (0..<5).map { ("\($0)", String(repeating: "v", count: 244)) })
      _ = MCNearbyServiceAdvertiser(
        peer: MCPeerID(displayName: "alice"), discoveryInfo: info.merging(["x": "y"]) { $1 }, serviceType: "stage")
    }
    let most = Dictionary(uniqueKeysWithValues: (0..<5).map { ("\($0)", String(repeating: "v", count: 243)) })
    #expect(PeerInfo.isValid(most))
    let peer = MCPeerID(displayName: String(repeating: "n", count: 63)).peer
    #expect(PeerInfo(PeerInfo(peer, most).record)?.info == most)
  }

  @Test func `discovery info with an equals sign in a key, or a pair over 255 bytes, ends the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = MCNearbyServiceAdvertiser(
        peer: MCPeerID(displayName: "alice"), discoveryInfo: ["a=b": "c"], serviceType: "stage")
    }
    await #expect(processExitsWith: .failure) {
      _ = MCNearbyServiceAdvertiser(
        peer: MCPeerID(displayName: "alice"), discoveryInfo: ["k": String(repeating: "v", count: 254)],
        serviceType: "stage")
    }
    await #expect(processExitsWith: .failure) {
      // One character for Swift, and two for whoever reads the record.
      _ = MCNearbyServiceAdvertiser(
        peer: MCPeerID(displayName: "alice"), discoveryInfo: ["a=\u{301}": "c"], serviceType: "stage")
    }
    let info = ["k": String(repeating: "v", count: 253)]
    let advertiser = MCNearbyServiceAdvertiser(
      peer: MCPeerID(displayName: "alice"), discoveryInfo: info, serviceType: "stage")
    #expect(advertiser.discoveryInfo == info)
  }

  @Test func `a context over 32 KiB ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let peer = MCPeerID(displayName: "alice")
      MCNearbyServiceBrowser(peer: peer, serviceType: "stage").invitePeer(
        MCPeerID(displayName: "bob"), to: MCSession(peer: peer), withContext: Data(count: 32 * 1024 + 1), timeout: 1)
    }
  }

  @Test func `a security identity of anything but certificates ends the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = MCSession(
        peer: MCPeerID(displayName: "alice"), securityIdentity: ["not data"], encryptionPreference: .required)
    }
  }

  @Test func `a session is encrypted unless the program says otherwise`() {
    let peer = MCPeerID(displayName: "alice")
    let session = MCSession(peer: peer)
    #expect(session.encryptionPreference == .required)
    #expect(session.securityIdentity == nil && session.myPeerID === peer && session.connectedPeers.isEmpty)
  }

  @Test func `the constants count the local peer, and errors have their domain and codes`() {
    #expect(kMCSessionMinimumNumberOfPeers == 2 && kMCSessionMaximumNumberOfPeers == 8)
    let codes: [MCError.Code] = [
      .unknown, .notConnected, .invalidParameter, .unsupported, .timedOut, .cancelled, .unavailable,
    ]
    #expect(codes.map(\.rawValue) == Array(0...6))
    let error = MCError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "too late"])
    let bridged = error as NSError
    #expect(bridged.domain == "MCErrorDomain" && bridged.domain == MCErrorDomain && bridged.code == 4)
    #expect(bridged.localizedDescription == "too late")
    do { throw error } catch MCError.timedOut {} catch { Issue.record("\(error) is not caught by its code") }
    #expect(MCSessionState.connected.rawValue == 2 && MCSessionSendDataMode.unreliable.rawValue == 1)
    #expect(MCEncryptionPreference.optional.rawValue == 0 && MCEncryptionPreference.none.rawValue == 2)
  }
}

/// Who a peer is.
@Suite struct PeerIDTests {
  @Test func `each peer is another, even with an equal name`() {
    let (first, second) = (MCPeerID(displayName: "alice"), MCPeerID(displayName: "alice"))
    #expect(first != second && first.hash != second.hash)
    #expect(first.copy() as? MCPeerID == first)
  }

  @Test func `an archived peer is the same peer, with the same hash`() throws {
    let peer = MCPeerID(displayName: "alice 🙂")
    let data = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data))
    #expect(read == peer && read.hash == peer.hash && read.displayName == peer.displayName)
  }

  @Test func `a hash is made of the identity alone, so it is the same number on every host`() throws {
    let id = try #require(PeerID(1...16))
    let peers = ["alice", "bob"].compactMap { Peer(id: id, name: $0) }.map { MCPeerID($0, of: .shared) }
    #expect(peers.count == 2 && peers[0] == peers[1])
    #expect(peers.map(\.hash) == [0x0102_0304_0506_0708, 0x0102_0304_0506_0708])
  }

  @Test func `peers in an array are archived too`() throws {
    let peers = [MCPeerID(displayName: "alice"), MCPeerID(displayName: "bob")]
    let data = try NSKeyedArchiver.archivedData(withRootObject: peers as NSArray, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, MCPeerID.self], from: data)
    #expect(read as? [MCPeerID] == peers)
  }

  @Test func `an archive of something else is no peer`() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: "alice" as NSString, requiringSecureCoding: true)
    #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)) == nil)
  }
}
