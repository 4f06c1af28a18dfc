/// The answer to a request. After it the connection is closed.
package struct ServedResponse: Sendable {
  package let status: Int
  /// The header fields, without Content-Length and Connection, which are added.
  private let fields: [(name: String, value: String)]
  private let content: [UInt8]

  /// - Parameter fields: the names and values as they are sent. They are not escaped.
  package init(_ status: Int, _ fields: [(name: String, value: String)] = [], _ content: [UInt8] = []) {
    (self.status, self.fields, self.content) = (status, fields, content)
  }

  /// Returns the answer as bytes to send.
  ///
  /// - Parameter isHead: whether to leave out the content, as in the answer to a HEAD.
  package func bytes(isHead: Bool = false) -> [UInt8] {
    let lines =
      ["HTTP/1.1 \(status) \(reason)"] + fields.map { "\($0.name): \($0.value)" }
      + ["Content-Length: \(content.count)", "Connection: close", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + (isHead ? [] : content)
  }

  /// The status in words (RFC 9110 §15). Programs ignore them.
  private var reason: String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 431: "Request Header Fields Too Large"
    default: "Internal Server Error"
    }
  }
}
