/// What is fuzzed: a parser or a state machine, with what must hold of it for any input. Where it does not hold the process
/// ends.
///
/// `Tests/Tools/Fuzz` looks for inputs; those that it begins with, `Tests/Tools/Fuzz/Corpus`, are a test of each target too.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case associations = "Associations"
  case dnsMessages = "DNSMessages"
  case duet = "Duet"
  case frames = "Frames"
  case handshake = "Handshake"
  case links = "Links"
  case messages = "Messages"
  case multicast = "Multicast"
  case multipeerFrames = "MultipeerFrames"
  case multipeerLink = "MultipeerLink"
  case names = "Names"
  case nostr = "Nostr"
  case propertyLists = "PropertyLists"
  case session = "Session"
  case txtRecords = "TXTRecords"
  case urls = "URLs"
  case vCards = "VCards"
  case wallet = "Wallet"

  /// Gives the target an input.
  public func run(_ input: UnsafeBufferPointer<UInt8>) {
    switch self {
    case .associations: fuzzAssociations(input)
    case .dnsMessages: fuzzDNSMessages(input)
    case .duet: fuzzDuet(input)
    case .frames: fuzzFrames(input)
    case .handshake: fuzzHandshake(input)
    case .links: fuzzLinks(input)
    case .messages: fuzzMessages(input)
    case .multicast: fuzzMulticast(input)
    case .multipeerFrames: fuzzMultipeerFrames(input)
    case .multipeerLink: fuzzMultipeerLink(input)
    case .names: fuzzNames(input)
    case .nostr: fuzzNostr(input)
    case .propertyLists: fuzzPropertyLists(input)
    case .session: fuzzSession(input)
    case .txtRecords: fuzzTXTRecords(input)
    case .urls: fuzzURLs(input)
    case .vCards: fuzzVCards(input)
    case .wallet: fuzzWallet(input)
    }
  }
}
