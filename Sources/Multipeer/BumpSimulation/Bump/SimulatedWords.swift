import BumpClaims
import BumpKit

/// An event or an outcome of a bump in a few words, for the timeline.
struct SimulatedWords {
  let name: String
  let text: String

  /// Returns `nil` for an event that the timeline leaves out.
  static func of(_ event: SendEvent) -> SimulatedWords? {
    switch event {
    case .connected: words("connected")
    case .digits(let digits, _): SimulatedWords(name: "digits", text: "digits \(digits)")
    case .deciding(_, let seconds): SimulatedWords(name: "deciding", text: "R decides, up to \(seconds) s")
    case .accepted: words("accepted")
    case .sent: SimulatedWords(name: "sent", text: "the claim is sent")
    case .stored(let status): SimulatedWords(name: "stored", text: "R says: \(status)")
    case .sessionFailed(let failure, _): SimulatedWords(name: "sessionFailed", text: "failed: \(failure)")
    case .declined: words("declined")
    case .declinedAtOnce: words("declinedAtOnce")
    default: nil
    }
  }

  static func of(_ event: ReceiveEvent) -> SimulatedWords? {
    switch event {
    case .found(let name): SimulatedWords(name: "found", text: "found \(name)")
    case .lost(let name): SimulatedWords(name: "lost", text: "lost \(name)")
    case .connected: words("connected")
    case .digits(let digits, _): SimulatedWords(name: "digits", text: "digits \(digits)")
    case .offer(let offer):
      SimulatedWords(name: "offer", text: "offer: \(offer.amount) \(offer.token) from \(offer.from)")
    case .deciding(_, let seconds): SimulatedWords(name: "deciding", text: "S decides, up to \(seconds) s")
    case .sessionFailed(let failure, _): SimulatedWords(name: "sessionFailed", text: "failed: \(failure)")
    case .declined: words("declined")
    case .stored(let status): SimulatedWords(name: "stored", text: "in the store: \(status)")
    default: nil
    }
  }

  static func of(_ outcome: SendOutcome) -> SimulatedWords {
    let text =
      switch outcome {
      case .delivered: "delivered"
      case .undelivered(let reason, let link, _):
        "undelivered (\(reason.rawValue))\(link == nil ? "" : ": shows the link")"
      case .unknown: "unknown: the claim may have arrived"
      case .codeBurnt: "codeBurnt"
      case .declinedHere: "declinedHere"
      case .expired: "expired"
      case .changedElsewhere: "changedElsewhere"
      case .interrupted: "interrupted"
      }
    return SimulatedWords(name: "outcome", text: "ENDS: \(text)")
  }

  static func of(_ outcome: ReceiveOutcome) -> SimulatedWords {
    let text =
      switch outcome {
      case .received: "received"
      case .duplicate: "duplicate"
      case .nobody(let reason, _): "nobody (\(reason))"
      case .declinedThere: "declinedThere"
      case .unauthenticated: "unauthenticated"
      default: "\(outcome)"
      }
    return SimulatedWords(name: "outcome", text: "ENDS: \(text)")
  }

  private static func words(_ text: String) -> SimulatedWords { SimulatedWords(name: text, text: text) }
}
