public import BumpVault
import BumpVaultAPI
import BumpWallet

/// The stream of `GET /api/claims/{name}/events` (HTML Living Standard §9.2).
public enum ServerSentEvents {
  /// The media type. It has no charset: such a stream is always UTF-8.
  public static let contentType = "text/event-stream"

  /// Returns an event about a claim's state. Its name is the claim's latest event, its data the answer of `GET
  /// /api/claims/{name}`.
  public static func event(_ claim: ClaimView) -> [UInt8] {
    Array("event: \(claim.event.rawValue)\ndata: \(claim.json.text)\n\n".utf8)
  }

  /// Returns an event that says that a reorganization took back the state before. The data is the state that holds now.
  public static func unsettled(_ claim: ClaimView) -> [UInt8] {
    Array("event: unsettled\ndata: \(claim.json.text)\n\n".utf8)
  }

  /// A comment, which keeps the connection open and shows that it works.
  public static let heartbeat = Array(":\n\n".utf8)

  /// Returns whether a claim's event is its last: nothing can take its state back.
  public static func isLast(_ claim: ClaimView) -> Bool {
    [.claimed, .refunded].contains(claim.event) && claim.inclusion?.level != .confirmed
  }
}
