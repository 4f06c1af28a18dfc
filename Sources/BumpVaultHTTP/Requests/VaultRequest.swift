/// A request as it came from the network, before anybody knows what it means.
public struct VaultRequest: Sendable {
  /// The most bytes that a body may have.
  public static let maximumBody = 16 * 1024

  /// Such as `GET`.
  public let method: String
  /// The path with its query, as it came.
  public let target: String
  public let headers: [Header]
  /// The other end of the connection.
  public let peer: ClientAddress
  /// Whether the connection itself is TLS.
  public let isTLS: Bool
  /// Reads the body, which is asked for only where the request may have one.
  public let body: @Sendable () async throws(BodyError) -> [UInt8]

  /// A header field. Its name is compared without regard to case.
  public struct Header: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  public init(
    _ method: String, _ target: String, headers: [Header] = [], from peer: ClientAddress, isTLS: Bool = false,
    body: @escaping @Sendable () async throws(BodyError) -> [UInt8] = { () throws(BodyError) in [] }
  ) {
    (self.method, self.target, self.headers, self.peer) = (method, target, headers, peer)
    (self.isTLS, self.body) = (isTLS, body)
  }

  /// The values of all headers with a name, in their order.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// Why the body of a request could not be read.
public enum BodyError: Error, Hashable, Sendable {
  /// It has more bytes than any request needs.
  case tooLarge
  /// It did not come in time.
  case timedOut
  /// The connection ended before it.
  case incomplete
}
