import Foundation
import MultipeerConnectivity

/// Answers each message by its first byte: `E` echoes it, `N` is one of many in order, `Q` asks how many came so, `M` asks for
/// the memory, `F` forgets its peak, and the count.
final class Server: Peer, @unchecked Sendable {
  private(set) lazy var advertiser = MCNearbyServiceAdvertiser(peer: id, discoveryInfo: nil, serviceType: Peer.type)
  private var next: UInt64 = 0

  override init(_ preference: MCEncryptionPreference) {
    super.init(preference)
    advertiser.delegate = self
  }

  override func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    func answer(_ data: Data) { try? session.send(data, toPeers: [peerID], with: .reliable) }
    switch data.first {
    case UInt8(ascii: "E"): answer(data)
    case UInt8(ascii: "N"):
      let number = data.dropFirst().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if number == next { next += 1 }
    case UInt8(ascii: "Q"): answer(Data("\(next)".utf8))
    case UInt8(ascii: "M"): answer(Data("\(Memory.peak)".utf8))
    default:
      next = 0
      Memory.forgetPeak()
    }
  }
}

extension Server: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    invitationHandler(true, session)
  }
}

/// The memory of this process, in MiB (proc(5)).
enum Memory {
  /// The most that it has had.
  static var peak: Int { status("VmHWM:") / 1024 }
  static var now: Int { status("VmRSS:") / 1024 }

  /// Counts the peak anew.
  static func forgetPeak() { try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8) }

  /// A number of /proc/self/status.
  static func status(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
