public import BumpClaims

/// The result for a claim or document at the receiver, in STORED.
public enum StoredStatus: UInt8, Sendable, CaseIterable {
  /// The claim or document is stored durably.
  case stored = 0
  /// The same claim or document was stored before.
  case duplicate = 1
  /// The claim is stored durably, although the store has another claim with the same id.
  case storedBesideAnother = 2
  /// The store failed: the receiver does not have the claim or document.
  case notStored = 3
  /// The claim's MAC or content was not valid, or the document was not the offered one.
  case invalid = 4

  /// Whether the receiver has the claim or document durably.
  public var isDelivered: Bool { rawValue <= 2 }
}

/// Whether an end remembers the other, in REMEMBER. Without REMEMBER the answer is no.
public enum RememberAnswer: UInt8, Sendable, CaseIterable {
  /// The end will keep the key; in its last REMEMBER, it has kept the key.
  case yes = 0
  /// The end's person did not ask to remember.
  case notAsked = 1
  /// The end has another key under that name.
  case nameTaken = 2
  /// The end's store failed.
  case cannotKeep = 3
}

/// A message inside the encrypted channel.
public enum Message: Hashable, Sendable {
  /// The offered claim without its secret, or a document's offer, as JSON. `Offer(json:)` or `DocumentOffer(json:)`
  /// reads it.
  case offer([UInt8])
  /// This end is asking its person, for at most this many more seconds.
  case hold(seconds: UInt8)
  /// The receiver accepts, under this name.
  case accept(DisplayName)
  /// This end declines: its person said no or, at a receiver, the offer has expired.
  case decline
  /// The claim payload as received, with its MAC. The only message with the secret.
  case claim(mac: [UInt8], payload: [UInt8])
  /// The result for the claim or document at the receiver. The last message of a session.
  case stored(StoredStatus)
  /// Whether this end remembers the other. In mode code only: before ACCEPT, before CLAIM and before
  /// STORED.
  case remember(RememberAnswer)
  /// A piece of a document.
  case chunk([UInt8])
  /// The receiver has processed sixteen more CHUNKs: the sender may send sixteen further ones.
  case more
  /// The receiver decides on other offers first: the sender waits at this place of its queue.
  case queued(place: UInt8)

  private enum Kind: UInt8 {
    case offer = 0x20, hold, accept, decline, claim, stored, remember, chunk, more, queued
  }

  /// The message before encryption: a type byte, then its fields.
  public var bytes: [UInt8] {
    switch self {
    case .offer(let json): [Kind.offer.rawValue] + json
    case .hold(let seconds): [Kind.hold.rawValue, seconds]
    case .accept(let name): [Kind.accept.rawValue, UInt8(name.text.utf8.count)] + Array(name.text.utf8)
    case .decline: [Kind.decline.rawValue]
    case .claim(let mac, let payload): [Kind.claim.rawValue] + mac + payload
    case .stored(let status): [Kind.stored.rawValue, status.rawValue]
    case .remember(let answer): [Kind.remember.rawValue, answer.rawValue]
    case .chunk(let bytes): [Kind.chunk.rawValue] + bytes
    case .more: [Kind.more.rawValue]
    case .queued(let place): [Kind.queued.rawValue, place]
    }
  }

  /// Reads a message.
  ///
  /// - Throws: `WireError.message` for an unknown type, a wrong length, a value out of bounds or an invalid name.
  public init(_ bytes: [UInt8]) throws(WireError) {
    guard let kind = bytes.first.flatMap(Kind.init(rawValue:)) else { throw Self.malformed }
    let body = bytes.dropFirst()
    switch kind {
    case .offer where (1...WireLimits.offer).contains(body.count):
      self = .offer(Array(body))
    case .hold where body.count == 1 && body[body.startIndex] <= WireLimits.holdSeconds:
      self = .hold(seconds: body[body.startIndex])
    case .accept where body.first.map(Int.init) == body.count - 1:
      guard let name = try? DisplayName(utf8: body.dropFirst()) else { throw Self.malformed }
      self = .accept(name)
    case .decline where body.isEmpty:
      self = .decline
    case .claim where (WireLimits.mac + 1...WireLimits.mac + ClaimLimits.claim).contains(body.count):
      self = .claim(mac: Array(body.prefix(WireLimits.mac)), payload: Array(body.dropFirst(WireLimits.mac)))
    case .stored where body.count == 1:
      guard let status = StoredStatus(rawValue: body[body.startIndex]) else { throw Self.malformed }
      self = .stored(status)
    case .remember where body.count == 1:
      guard let answer = RememberAnswer(rawValue: body[body.startIndex]) else { throw Self.malformed }
      self = .remember(answer)
    case .chunk where (1...WireLimits.chunk).contains(body.count):
      self = .chunk(Array(body))
    case .more where body.isEmpty:
      self = .more
    case .queued where body.count == 1 && WireLimits.places.contains(body[body.startIndex]):
      self = .queued(place: body[body.startIndex])
    default:
      throw Self.malformed
    }
  }

  private static let malformed = WireError(.message, "a message that is not one of ours")
}

/// Prints a message without its content: no log may contain a CLAIM's payload, which has the secret.
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
    case .chunk(let bytes): "CHUNK of \(bytes.count) bytes"
    case .more: "MORE"
    case .queued(let place): "QUEUED at \(place)"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
