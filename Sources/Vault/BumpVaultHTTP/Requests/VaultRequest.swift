/// A request from the network, before it is interpreted.
public struct VaultRequest: Sendable {
  /// The greatest number of bytes of a body.
  public static let maximumBody = 16 * 1024

  /// The method, such as `GET`.
  public let method: String
  /// The path with its query, as the client sent it.
  public let target: String
  /// The header fields in the order of the request. A name may occur several times.
  public let headers: [Header]
  /// The address of the other end of the connection.
  public let peer: ClientAddress
  /// The address of this machine at which the connection arrived; `nil` if it is not known.
  public let local: ClientAddress?
  /// Whether the connection itself uses TLS.
  public let isTLS: Bool
  /// Reads the body. Called only if the request may have one.
  public let body: @Sendable () async throws(BodyError) -> [UInt8]

  /// A header field. Its name is not case-sensitive.
  public struct Header: Hashable, Sendable {
    /// The field's name, as the client wrote it.
    public let name: String
    /// The field's value, as the client wrote it. A list is not split.
    public let value: String

    /// Makes a header field. Checks neither name nor value.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// Makes a request. Its body is read at most once; the default is an empty one.
  public init(
    _ method: String, _ target: String, headers: [Header] = [], from peer: ClientAddress,
    at local: ClientAddress? = nil, isTLS: Bool = false,
    body: @escaping @Sendable () async throws(BodyError) -> [UInt8] = { () throws(BodyError) in [] }
  ) {
    (self.method, self.target, self.headers, self.peer) = (method, target, headers, peer)
    (self.local, self.isTLS, self.body) = (local, isTLS, body)
  }

  /// Returns the values of all headers with a name, in their order.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// The reason why the body of a request could not be read.
public enum BodyError: Error, Hashable, Sendable {
  /// The body has more than `maximumBody` bytes.
  case tooLarge
  /// The body was not received in time.
  case timedOut
  /// The connection ended before the body did.
  case incomplete
}
