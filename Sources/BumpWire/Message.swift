/// What became of a claim at the receiver.
public enum StoredStatus: UInt8, Sendable, CaseIterable {
  case stored = 0
  /// This very claim was stored before.
  case duplicate = 1
  /// Stored, though another claim with this id is here too.
  case storedBesideAnother = 2
  /// It could not be made durable.
  case notStored = 3
  /// Its mac or its content was not valid.
  case invalid = 4

  /// Whether the receiver says that it has the claim for good.
  public var isDelivered: Bool { rawValue <= 2 }
}

/// An end's word on remembering the other. Left out, it is a no.
public enum RememberAnswer: UInt8, Sendable, CaseIterable {
  /// It will, or it has kept the key.
  case yes = 0
  /// Nobody asked it to.
  case notAsked = 1
  /// It keeps another key under the name already.
  case nameTaken = 2
  /// Its store cannot keep the key.
  case cannotKeep = 3
}

/// What is said inside the encrypted channel.
public enum Message: Hashable, Sendable {
  /// What the receiver would accept, as received: `Offer(json:)` reads it.
  case offer([UInt8])
  /// This end is asking its person and may take this many seconds.
  case hold(seconds: UInt8)
  case accept(DisplayName)
  /// A person said no.
  case decline
  /// The only message that carries the secret: its mac, and the claim payload as received.
  case claim(mac: [UInt8], payload: [UInt8])
  case stored(StoredStatus)
  /// In version 2 and mode code, before ACCEPT, before CLAIM and before STORED.
  case remember(RememberAnswer)

  private enum Kind: UInt8 {
    case offer = 0x20, hold, accept, decline, claim, stored, remember
  }

  public var bytes: [UInt8] {
    switch self {
    case .offer(let json): [Kind.offer.rawValue] + json
    case .hold(let seconds): [Kind.hold.rawValue, seconds]
    case .accept(let name): [Kind.accept.rawValue, UInt8(name.text.utf8.count)] + Array(name.text.utf8)
    case .decline: [Kind.decline.rawValue]
    case .claim(let mac, let payload): [Kind.claim.rawValue] + mac + payload
    case .stored(let status): [Kind.stored.rawValue, status.rawValue]
    case .remember(let answer): [Kind.remember.rawValue, answer.rawValue]
    }
  }

  /// Reads a message.
  ///
  /// - Throws: `WireError.message` for an unknown type, a wrong length or a value out of bounds;
  ///   `WireError.displayName` for a name that is not one.
  public init(_ bytes: [UInt8]) throws(WireError) {
    guard let kind = bytes.first.flatMap(Kind.init(rawValue:)) else { throw Self.malformed }
    let body = bytes.dropFirst()
    switch kind {
    case .offer where (1...Limits.offer).contains(body.count):
      self = .offer(Array(body))
    case .hold where body.count == 1 && body[body.startIndex] <= Limits.holdSeconds:
      self = .hold(seconds: body[body.startIndex])
    case .accept where body.first.map(Int.init) == body.count - 1:
      self = .accept(try DisplayName(utf8: body.dropFirst()))
    case .decline where body.isEmpty:
      self = .decline
    case .claim where (Limits.mac + 1...Limits.mac + Limits.claim).contains(body.count):
      self = .claim(mac: Array(body.prefix(Limits.mac)), payload: Array(body.dropFirst(Limits.mac)))
    case .stored where body.count == 1:
      guard let status = StoredStatus(rawValue: body[body.startIndex]) else { throw Self.malformed }
      self = .stored(status)
    case .remember where body.count == 1:
      guard let answer = RememberAnswer(rawValue: body[body.startIndex]) else { throw Self.malformed }
      self = .remember(answer)
    default:
      throw Self.malformed
    }
  }

  private static let malformed = WireError(.message, "a message that is not one of ours")
}

/// Prints without its content: a CLAIM's payload holds the secret, and no log may.
extension Message: CustomStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .offer: "OFFER"
    case .hold(let seconds): "HOLD \(seconds) s"
    case .accept(let name): "ACCEPT \(name)"
    case .decline: "DECLINE"
    case .claim: "CLAIM <redacted>"
    case .stored(let status): "STORED \(status.rawValue)"
    case .remember(let answer): "REMEMBER \(answer.rawValue)"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
