/// The vault's answer to a request: an HTTP status, headers, and a body of JSON.
public struct Answer: Hashable, Sendable {
  /// A header field (RFC 9110 §5).
  public struct Header: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  public let status: Int
  public let headers: [Header]
  public let body: JSONValue

  /// - Parameter type: the media type of the body.
  init(_ status: Int, _ body: JSONValue, type: String = "application/json", headers: [Header] = []) {
    (self.status, self.body) = (status, body)
    // An answer about money is true only at its moment: no cache may keep it.
    self.headers = [Header("Content-Type", type), Header("Cache-Control", "no-store")] + headers
  }

  /// Returns the value of the header of that name; `nil` if there is none.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
