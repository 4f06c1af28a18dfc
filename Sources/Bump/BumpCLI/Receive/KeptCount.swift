import BumpKit
import BumpWire

/// How much a receive of many claims has received: each claim, card and link once.
struct KeptCount: Equatable {
  var claims = 0
  private(set) var cards = 0
  private(set) var links = 0

  /// The number of cards and links.
  var documents: Int { cards + links }

  /// Counts an outcome. Those that were here before do not count.
  mutating func add(_ outcome: ReceiveOutcome) {
    switch outcome {
    case .received: claims += 1
    case .saved(let saved) where !saved.isDuplicate:
      switch saved.verified.document.kind {
      case .card: cards += 1
      case .link: links += 1
      }
    default: break
    }
  }

  /// The counts for a person: `2 claims and 1 card were received.`
  var sentence: String {
    let counts = [(claims, "claim"), (cards, "card"), (links, "link")].filter { $0.0 > 0 }
    let words = counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    guard let last = words.last else { return "Nothing was received." }
    let verb = counts.count == 1 && counts[0].0 == 1 ? "was" : "were"
    return "\(words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) and \(last)") \(verb) received."
  }
}
