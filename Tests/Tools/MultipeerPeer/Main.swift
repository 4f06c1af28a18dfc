import BumpSimulator
import MultipeerConnectivity

/// MultipeerPeer NAME [ENCRYPTION [CERTIFICATE…]]: a peer that says each event on a line, and does what a line of its input says:
/// `advertise`, `withdraw`, `browse`, `invite NAME`, `refuse` all certificates, `send TEXT`, `file PATH`, `progress` of that,
/// `stream TEXT`, `pour` into a stream until it has no room, `leave`, `exit`; and without discovery `identify` itself,
/// `offer PEER` what that needs to connect, `connect PEER OFFER`. It ends with its input. It fails as BUMP_SIMULATE says.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    do {
      try Simulator.obeyEnvironment()
    } catch {
      return print("\(error)")
    }
    let player = Player(
      arguments.count > 1 ? arguments[1] : "peer", arguments.count > 2 ? arguments[2] : "required",
      Array(arguments.dropFirst(3)))
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      player.perform(words.first ?? "", words.count > 1 ? words[1] : "")
    }
    player.perform("leave", "")
  }
}

final class Player: NSObject, @unchecked Sendable {
  private let own: MCPeerID
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private let lock = NSLock()
  private var found: [String: MCPeerID] = [:]
  private var refuses = false
  /// Used on the main thread alone.
  private var progress: Progress?
  private let begun = ContinuousClock.now

  init(_ name: String, _ encryption: String, _ certificates: [String]) {
    own = MCPeerID(displayName: name)
    let preference: MCEncryptionPreference =
      switch encryption {
      case "none": .none
      case "optional": .optional
      default: .required
      }
    session = MCSession(
      peer: own, securityIdentity: certificates.map { Data($0.utf8) }, encryptionPreference: preference)
    advertiser = MCNearbyServiceAdvertiser(peer: own, discoveryInfo: ["color": "red"], serviceType: "mpc-trial")
    browser = MCNearbyServiceBrowser(peer: own, serviceType: "mpc-trial")
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func perform(_ command: String, _ rest: String) {
    switch command {
    case "advertise": advertiser.startAdvertisingPeer()
    case "withdraw": advertiser.stopAdvertisingPeer()
    case "browse": browser.startBrowsingForPeers()
    case "invite":
      guard let peer = lock.withLock({ found[rest] }) else { return say("unknown \(rest)") }
      browser.invitePeer(peer, to: session, withContext: Data("context".utf8), timeout: 60)
    case "refuse": lock.withLock { refuses = true }
    case "send":
      do { try session.send(Data(rest.utf8), toPeers: session.connectedPeers, with: .reliable) } catch {
        say("error \(error.localizedDescription)")
      }
    case "file":
      for peer in session.connectedPeers {
        progress = session.sendResource(at: URL(fileURLWithPath: rest), withName: "a/b", toPeer: peer) { error in
          self.say("sent \(error.map { "\($0)" } ?? "whole")")
        }
      }
    case "progress": say("progress \(progress?.completedUnitCount ?? 0)")
    case "stream":
      for peer in session.connectedPeers {
        guard let stream = try? session.startStream(withName: "s", toPeer: peer) else { continue }
        stream.open()
        let bytes = Array(rest.utf8)
        _ = stream.write(bytes, maxLength: bytes.count)
        stream.close()
      }
    case "pour": for peer in session.connectedPeers { pour(to: peer) }
    case "identify":
      let archive = try? NSKeyedArchiver.archivedData(withRootObject: own, requiringSecureCoding: true)
      say("identity \(archive?.base64EncodedString() ?? "")")
    case "offer":
      guard let peer = peer(rest) else { return say("no peer") }
      session.nearbyConnectionData(forPeer: peer) { data, error in
        self.say("offer \(data?.base64EncodedString() ?? "\(error as Any)")")
      }
    case "connect":
      let words = rest.split(separator: " ").map(String.init)
      guard words.count == 2, let peer = peer(words[0]), let data = Data(base64Encoded: words[1]) else {
        return say("no peer")
      }
      session.connectPeer(peer, withNearbyConnectionData: data)
    case "leave": session.disconnect()
    case "exit": exit(0)
    default: say("unknown \(command)")
    }
  }

  private func pour(to peer: MCPeerID) {
    guard let stream = try? session.startStream(withName: "s", toPeer: peer) else { return }
    stream.open()
    let part = [UInt8](repeating: 0, count: 32 * 1024)
    var count = 0
    while stream.hasSpaceAvailable { count += stream.write(part, maxLength: part.count) }
    say("poured \(count)")
  }

  /// A peer that another program has archived.
  private func peer(_ archive: String) -> MCPeerID? {
    Data(base64Encoded: archive).flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: $0) }
  }

  fileprivate func say(_ text: String) {
    let milliseconds = begun.duration(to: .now) / .milliseconds(1)
    FileHandle.standardOutput.write(Data("\(Int(milliseconds)) \(text)\n".utf8))
  }
}

extension Player: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    say("state \(peerID.displayName) \(["notConnected", "connecting", "connected"][state.rawValue])")
  }

  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    let chain = (certificate ?? []).compactMap { ($0 as? Data).map { String(decoding: $0, as: UTF8.self) } }
    say((["certificate", peerID.displayName] + chain).joined(separator: " "))
    certificateHandler(!lock.withLock { refuses })
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    say("data \(peerID.displayName) \(data.count) \(String(decoding: data.prefix(100), as: UTF8.self))")
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {
    say("stream \(peerID.displayName) \(streamName)")
    stream.open()
    var bytes = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = stream.read(&bytes, maxLength: bytes.count)
      guard count > 0 else { return say("read \(count)") }
      say("read \(count) \(String(decoding: bytes.prefix(count), as: UTF8.self))")
    }
  }

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {
    say("resource \(peerID.displayName) \(resourceName) of \(progress.totalUnitCount)")
  }

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {
    let size = localURL.flatMap { try? Data(contentsOf: $0).count }
    say("received \(resourceName) \(size.map(String.init) ?? error.map { "\($0)" } ?? "nothing")")
  }
}

extension Player: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    say("invited \(peerID.displayName) \(context.map { String(decoding: $0, as: UTF8.self) } ?? "")")
    invitationHandler(true, session)
  }
}

extension Player: MCNearbyServiceBrowserDelegate {
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  {
    lock.withLock { found[peerID.displayName] = peerID }
    say("found \(peerID.displayName) \(info ?? [:])")
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { say("lost \(peerID.displayName)") }
}
