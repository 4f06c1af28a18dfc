import BumpServing

/// Answers one HTTP/1.1 connection (RFC 9112) as Apple requires of a site: sends the file with status 200 and the type
/// `application/json` at its exact URL, and redirects nothing. It is for tests: it takes one request per connection,
/// without a body, and serves only these files.
public struct AssociationResponder: Sendable {
  /// The path of the file on every host.
  public static let path = "/.well-known/apple-app-site-association"

  /// The answer to a request.
  public struct Answer: Sendable {
    /// The status.
    public let status: Int
    /// The requested host, if it has a file; otherwise `nil`.
    public let host: String?
    /// The bytes to send. The connection is closed afterwards.
    public let bytes: [UInt8]
  }

  private let files: [String: [UInt8]]
  private var reader = RequestReader()

  /// Makes a responder. It answers with 404 if a host has no file. If there is only one file, this machine's own names
  /// stand for its host.
  ///
  /// - Parameter files: the files by host, in lower case.
  public init(files: [String: [UInt8]]) { self.files = files }

  /// Takes bytes that were received over the connection.
  ///
  /// - Returns: the answer, once; `nil` before the request is complete, and after the answer.
  public mutating func receive(_ bytes: some Sequence<UInt8>) -> Answer? {
    switch reader.receive(bytes) {
    case nil: nil
    case .refused(let refusal): Answer(status: refusal.status, host: nil, bytes: refusal.bytes())
    case .request(let request): answer(request)
    }
  }

  private func answer(_ request: ServedRequest) -> Answer {
    let isOwn = ["localhost", "127.0.0.1", "[::1]"].contains(request.host)
    guard request.target == Self.path, let known = isOwn && files.count == 1 ? files.keys.first : request.host,
      let file = files[known]
    else { return Answer(status: 404, host: nil, bytes: ServedResponse(404).bytes()) }
    let answer = ServedResponse(200, [("Content-Type", "application/json")], file)
    return Answer(status: 200, host: known, bytes: answer.bytes(isHead: request.isHead))
  }
}

/// The files of the hosts in a folder.
public struct SiteFiles: Sendable {
  /// The bytes of each host's file.
  public let byHost: [String: [UInt8]]

  /// Takes the files of a project that have the exact name and a host. Of two files for a host, the first counts.
  public init(_ files: [SourceFile]) {
    byHost = Dictionary(
      files.filter { SourceFile.kind(of: $0.path) == .association && $0.failure == nil }.compactMap { file in
        let site = AssociationFile(file, heads: [])
        return site.isInPlace ? site.host.map { ($0, file.content) } : nil
      }
    ) { first, _ in first }
  }
}
