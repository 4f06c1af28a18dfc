/// The body of `POST /api/claims/{name}/refund`: none, or an empty object. Anybody may ask, and the amount goes to the
/// sender.
public struct RefundRequest: Hashable, Sendable {
  /// Makes a request, which has no fields.
  public init() {}

  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    if !body.isEmpty { try JSONFields(body).end() }
  }
}
