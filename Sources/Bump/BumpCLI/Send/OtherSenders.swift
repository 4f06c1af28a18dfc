import BumpKit
import BumpTerminal
import BumpText
import Synchronization

/// The look around at the end of a send to which nobody came: two people who both typed `bump send` wait for each other
/// in vain.
final class OtherSenders: Sendable {
  /// How long to look. Senders that are already announced answer within it, as they do for a receiver that chooses.
  private static let time: Duration = .milliseconds(300)

  private let discovery: (any Discovery)?
  private let type: ServiceType
  private let own = Mutex<String?>(nil)

  init(_ discovery: (any Discovery)?, of type: ServiceType) { (self.discovery, self.type) = (discovery, type) }

  /// Notes this end's own instance name, which may still be announced somewhere.
  func event(_ event: SendEvent) {
    if case .advertising(let name, _, _) = event { own.withLock { $0 = name } }
  }

  /// Returns the other senders that are here.
  ///
  /// - Parameters:
  ///   - reason: why the send ended without a receiver.
  ///   - found: the receivers whose transfer failed. If there was one, no sender was mistaken for a receiver.
  func near(_ reason: FallbackReason, _ found: [FailedPeer]) async -> [Neighbour] {
    guard reason == .discoveryTimeout, found.isEmpty, let discovery else { return [] }
    let near = NearbySenders(Neighbours(discovery: discovery), of: type, besides: own.withLock(\.self))
    return await near.senders(at: .now + Self.time)
  }

  /// Returns who else is sending, and what to do, as a clause; `nil` if nobody is.
  ///
  /// - Parameter command: the command of the one who is to receive.
  static func clause(_ senders: [Neighbour], command: String = "bump receive") -> String? {
    guard let first = senders.first else { return nil }
    let others = senders.count - 1
    let who = QuotedName.ofInstance(first.name)
    guard others > 0 else { return "\(who) is sending too: one of you runs `\(command)`" }
    return
      "\(who) and \(others) \(others == 1 ? "other" : "others") are sending too: whoever is to receive runs `\(command)`"
  }
}
