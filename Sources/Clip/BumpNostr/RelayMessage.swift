import FoundationEssentials

/// A message from a relay (NIP-01).
enum RelayMessage: Decodable {
  /// An event; `nil` for one that is malformed.
  case event(subscription: String, UnverifiedEvent?)
  /// All stored events were sent.
  case endOfStored(subscription: String)
  /// The relay ended the subscription, or rejected it.
  case closed(subscription: String)
  /// A notice, or anything else, which is ignored.
  case other

  init(_ text: [UInt8]) {
    self = (try? JSONDecoder().decode(RelayMessage.self, from: Data(text))) ?? .other
  }

  init(from decoder: any Decoder) throws {
    var items = try decoder.unkeyedContainer()
    switch try items.decode(String.self) {
    case "EVENT": self = .event(subscription: try items.decode(String.self), try? items.decode(UnverifiedEvent.self))
    case "EOSE": self = .endOfStored(subscription: try items.decode(String.self))
    case "CLOSED": self = .closed(subscription: try items.decode(String.self))
    default: self = .other
    }
  }
}
