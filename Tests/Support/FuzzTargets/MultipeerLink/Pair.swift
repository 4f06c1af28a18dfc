import BumpMultipeer
import BumpNoise
import BumpWire
import Crypto

/// The two ends of one link: 0 invites 1.
struct Pair {
  private struct End {
    var link: Link
    var preference: EncryptionPreference
    /// What is under way to it.
    var inbound: [[UInt8]] = []
    /// Frames of the session that it has sent, and not got there.
    var sent: [LinkFrame] = []
    var isAsked = false
    var hasJudged = false
    var isConnected = false
    var hasEnded = false
  }

  private static let peers: [Peer] = (0..<2).compactMap { number in
    PeerID([UInt8](repeating: UInt8(number + 1), count: PeerID.length)).flatMap { Peer(id: $0, name: "p\(number)") }
  }
  private static let invitation = Invitation(from: peers[0], to: peers[1].id)

  private static let identities = [IdentityKey(), IdentityKey()]

  private static func key(_ byte: UInt8) -> EphemeralKey {
    guard let key = try? EphemeralKey(rawRepresentation: [UInt8](repeating: byte, count: 32)) else {
      fatalError("a key of 32 bytes")
    }
    return key
  }

  private var ends: [End]
  private var now: Moment = .zero
  private var isAnswered = false

  init(_ program: inout Program) {
    let preferences = (0..<2).map { _ in program.pick(EncryptionPreference.allCases) }
    guard
      let (opener, hello) = try? Link.inviting(
        Self.invitation, terms: Self.terms(0, preferences[0]), until: .seconds(20), ephemeral: Self.key(1), at: .zero)
    else { fatalError("a link of one's own") }
    ends = [
      End(link: opener, preference: preferences[0]),
      End(link: Link(accepted: Self.key(2), at: .zero), preference: preferences[1]),
    ]
    ends[1].inbound.append(hello)
  }

  private static func terms(_ end: Int, _ preference: EncryptionPreference) -> Terms {
    Terms(peer: peers[end], session: peers[end].id, preference: preference, port: 9)
  }

  private var isEncrypted: Bool { ends[0].preference.isEncrypted(with: ends[1].preference) == true }

  // MARK: What may happen

  mutating func deliver(to end: Int) {
    guard !ends[end].inbound.isEmpty else { return }
    tell(end, .received(ends[end].inbound.removeFirst()))
  }

  mutating func answer(yes: Bool) {
    guard ends[1].isAsked, !isAnswered else { return }
    isAnswered = true
    tell(1, .answered(yes ? Self.terms(1, ends[1].preference) : nil))
  }

  mutating func judge(_ end: Int, yes: Bool) {
    if yes { ends[end].hasJudged = true }
    tell(end, .judged(yes))
  }

  /// A frame of the session, where the bytes are one.
  mutating func say(_ end: Int, _ bytes: [UInt8]) {
    guard let frame = try? LinkFrame(bytes) else { return }
    switch frame {
    case .roster, .introduce, .message, .transfer: break
    default: return
    }
    if ends[end].isConnected, !ends[end].hasEnded { ends[end].sent.append(frame) }
    tell(end, .send(frame))
  }

  mutating func change(_ end: Int, _ change: (inout [[UInt8]]) -> Void) {
    change(&ends[end].inbound)
    // Doubling and reflecting would never end.
    ends[end].inbound = ends[end].inbound.suffix(16)
  }

  mutating func reflect(_ end: Int) { change(end) { [other = ends[1 - end].inbound] in $0 += other.prefix(8) } }

  mutating func close(_ end: Int) { tell(end, .closed) }

  mutating func pass(_ time: Duration) {
    let end = now + time
    while let next = ends.compactMap(\.link.deadline).min(), next <= end {
      now = max(now, next)
      for index in 0..<2 { if let due = ends[index].link.deadline, due <= now { tell(index, .deadline) } }
    }
    now = end
  }

  /// Nothing passes any more: both must end.
  mutating func finish() {
    pass(.seconds(60))
    check(ends.allSatisfy(\.hasEnded), "a link that does not end")
  }

  // MARK: What must hold

  private mutating func tell(_ end: Int, _ input: Link.Input) {
    for output in ends[end].link.handle(input, at: now) {
      check(!ends[end].hasEnded, "an output after the end")
      switch output {
      case .send(let bytes): change(1 - end) { $0.append(bytes) }
      case .invited(let invitation):
        check(invitation == Self.invitation, "an invitation that nobody has sent")
        ends[1].isAsked = true
      case .began: tell(end, .proceed(Self.identities[end]))
      case .lookUp: break
      case .terms(let terms, _):
        check(terms == Self.terms(1 - end, ends[1 - end].preference), "terms that nobody has sent")
      case .connected:
        check(isAnswered && ends.allSatisfy(\.hasJudged), "connected, and not all were asked")
        check(ends[0].preference.isEncrypted(with: ends[1].preference) != nil, "connected, and they exclude each other")
        ends[end].isConnected = true
      case .frame(let frame):
        check(ends[end].isConnected, "a frame before the session")
        guard isEncrypted else { break }
        check(!ends[1 - end].sent.isEmpty && ends[1 - end].sent.removeFirst() == frame, "a frame that was not sent so")
      case .ended: ends[end].hasEnded = true
      }
    }
  }
}
