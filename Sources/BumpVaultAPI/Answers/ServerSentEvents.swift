public import BumpVault

/// The stream of `GET /api/claims/{name}/events` (HTML Living Standard §9.2).
public enum ServerSentEvents {
  public static let contentType = "text/event-stream"

  /// A claim's state: the event is the last thing that happened to it, the data is the answer of `GET /api/claims/{name}`.
  public static func event(_ claim: ClaimView) -> [UInt8] {
    Array("event: \(claim.event.rawValue)\ndata: \(claim.json.text)\n\n".utf8)
  }

  /// A comment, which keeps the connection open and shows that it is.
  public static let heartbeat = Array(":\n\n".utf8)

  /// Whether nothing can follow.
  public static func isLast(_ claim: ClaimView) -> Bool { [.claimed, .refunded].contains(claim.event) }
}
