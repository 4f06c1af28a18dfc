/// Reads the only request of an HTTP/1.1 connection (RFC 9112): a GET or HEAD, without a body.
package struct RequestReader: Sendable {
  /// The greatest length of a request's head, in bytes.
  package static let limit = 8192

  /// The result of reading a connection.
  package enum Reading: Sendable {
    case request(ServedRequest)
    /// The request is refused: send this answer, and close the connection.
    case refused(ServedResponse)
  }

  private var request: [UInt8] = []
  private var isOver = false

  package init() {}

  /// Takes bytes from the connection.
  ///
  /// - Returns: the request or its refusal, once; `nil` before the request is complete, and after it.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> Reading? {
    guard !isOver else { return nil }
    request += bytes
    let end = request.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A])
    let head = request[..<(end?.lowerBound ?? request.endIndex)]
    guard head.count <= Self.limit else { return conclude(.refused(ServedResponse(431))) }
    return end == nil ? nil : conclude(Self.read(String(decoding: head, as: UTF8.self)))
  }

  private mutating func conclude(_ reading: Reading) -> Reading {
    (isOver, request) = (true, [])
    return reading
  }

  private static func read(_ head: String) -> Reading {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    let fields = lines.map { $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
    let isWhole =
      words.count == 3 && ["HTTP/1.1", "HTTP/1.0"].contains(words[2])
      && head.unicodeScalars.allSatisfy { ("\u{20}"..."\u{7E}").contains($0) || $0 == "\r" || $0 == "\n" || $0 == "\t" }
      && !head.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" }
      && fields.allSatisfy { $0.count == 2 && !$0[0].isEmpty && !$0[0].contains { $0 == " " || $0 == "\t" } }
    let hosts = fields.filter { $0[0].lowercased() == "host" }
    let bodies = fields.filter { ["content-length", "transfer-encoding"].contains($0[0].lowercased()) }
    guard isWhole, hosts.count == 1, bodies.allSatisfy({ trimmed($0[1]) == "0" }) else {
      return .refused(ServedResponse(400))
    }
    guard words[0] == "GET" || words[0] == "HEAD" else {
      return .refused(ServedResponse(405, [("Allow", "GET, HEAD")]))
    }
    let host = withoutPort(trimmed(hosts[0][1])).lowercased()
    return .request(ServedRequest(isHead: words[0] == "HEAD", target: String(words[1]), host: host))
  }

  /// Returns a host without its port. An IPv6 address is in brackets, and has colons of its own (RFC 3986, 3.2.2).
  private static func withoutPort(_ host: Substring) -> Substring {
    guard host.first == "[", let end = host.firstIndex(of: "]") else { return host.prefix { $0 != ":" } }
    return host[...end]
  }

  /// Returns a field's value without the white space around it.
  private static func trimmed(_ value: Substring) -> Substring {
    var value = value.drop { $0 == " " || $0 == "\t" }
    while let last = value.last, last == " " || last == "\t" { value.removeLast() }
    return value
  }
}

/// A request that was read completely.
package struct ServedRequest: Sendable {
  /// Whether the answer must have no content (HEAD).
  package let isHead: Bool
  /// The target as it was sent: a path, with a query if there is one.
  package let target: String
  /// The host that the request is for, in lower case and without a port.
  package let host: String
}
