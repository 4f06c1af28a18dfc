/// The vault's answer to a request: an HTTP status, headers, and a body of JSON.
public struct Answer: Hashable, Sendable {
  /// A header field (RFC 9110 §5).
  public struct Header: Hashable, Sendable {
    /// The field's name. `Answer.header(_:)` tells upper and lower case apart.
    public let name: String
    /// The field's value, which is sent as it is.
    public let value: String

    /// Makes a header field. Checks neither name nor value.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The HTTP status code, such as 201.
  public let status: Int
  /// The header fields, beginning with `Content-Type` and `Cache-Control: no-store`.
  public let headers: [Header]
  /// The body, which is sent as `JSONValue.encoded`.
  public let body: JSONValue

  /// - Parameter type: the media type of the body.
  package init(_ status: Int, _ body: JSONValue, type: String = "application/json", headers: [Header] = []) {
    (self.status, self.body) = (status, body)
    // An answer about money is true only at its moment: no cache may keep it.
    self.headers = [Header("Content-Type", type), Header("Cache-Control", "no-store")] + headers
  }

  /// Returns the value of the header of that name; `nil` if there is none.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
