import BumpServing

/// Answers one connection of HTTP/1.1 (RFC 9112) as Apple wants a site to: the file with status 200 and the type
/// `application/json` at its very URL, and no redirect. It is for tests: one request a connection, without a body, and
/// nothing but these files.
public struct AssociationResponder: Sendable {
  /// The path of the file on every host.
  public static let path = "/.well-known/apple-app-site-association"

  /// The answer to a request.
  public struct Answer: Sendable {
    /// The status.
    public let status: Int
    /// The host that was asked for, as one of those that have a file; `nil` where it is none of them.
    public let host: String?
    /// All that is sent, after which the other end closes.
    public let bytes: [UInt8]
  }

  private let files: [String: [UInt8]]
  private var reader = RequestReader()

  /// - Parameter files: the files of hosts, in lower case. A host with no file is answered with 404, unless there is but one
  ///   file and the host is this machine.
  public init(files: [String: [UInt8]]) { self.files = files }

  /// Takes what came over the connection.
  ///
  /// - Returns: the answer, once; `nil` until the request is complete, and behind it.
  public mutating func receive(_ bytes: some Sequence<UInt8>) -> Answer? {
    switch reader.receive(bytes) {
    case nil: nil
    case .refused(let refusal): Answer(status: refusal.status, host: nil, bytes: refusal.bytes())
    case .request(let request): answer(request)
    }
  }

  private func answer(_ request: ServedRequest) -> Answer {
    let isOwn = ["localhost", "127.0.0.1", "["].contains(request.host)
    guard request.target == Self.path, let known = isOwn && files.count == 1 ? files.keys.first : request.host,
      let file = files[known]
    else { return Answer(status: 404, host: nil, bytes: ServedAnswer(404).bytes()) }
    let answer = ServedAnswer(200, [("Content-Type", "application/json")], file)
    return Answer(status: 200, host: known, bytes: answer.bytes(isHead: request.isHead))
  }
}

/// The files that a folder has for hosts.
public struct SiteFiles: Sendable {
  /// The bytes of each host's file.
  public let byHost: [String: [UInt8]]

  /// Takes the files of a project that have the exact name and a host.
  public init(_ files: [SourceFile]) {
    byHost = Dictionary(
      files.filter { SourceFile.kind(of: $0.path) == .association && $0.failure == nil }.compactMap { file in
        let site = AssociationFile(file, heads: [])
        return site.isInPlace ? site.host.map { ($0, file.content) } : nil
      }
    ) { first, _ in first }
  }
}
