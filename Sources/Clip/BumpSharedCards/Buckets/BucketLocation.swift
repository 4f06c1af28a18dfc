import BumpHTTP

/// A bucket, a prefix in it, and the keys for it.
package struct BucketLocation: Sendable, CustomStringConvertible {
  /// `http://` or `https://`, a host, and perhaps a port.
  private let endpoint: String
  private let bucket: String
  /// The prefix: empty, or with a `/` at its end.
  private let prefix: String
  let signature: RequestSignature
  let fields: [(name: String, value: String)]
  let roots: String?

  /// - Parameters:
  ///   - text: `s3://BUCKET` or `s3://BUCKET/PREFIX`.
  ///   - endpoint: a URL without a path; `nil` for Amazon's in the region.
  ///   - token: the session token of temporary keys; `nil` for none.
  ///   - roots: a PEM file of certificates to trust instead of the system's; `nil` for the system's.
  /// - Returns: `nil` unless bucket, prefix and region have only letters, digits and `- _ .`, and the endpoint is such
  ///   a URL.
  package init?(
    _ text: String, endpoint: String?, region: String, accessKey: String, secretKey: String, token: String?,
    roots: String?
  ) {
    let segments = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    let names = segments.last == "" ? segments.dropLast() : segments[...]
    let isPlain = { (byte: UInt8) in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    guard text.hasPrefix(Self.scheme), let bucket = names.first, text.utf8.count <= 512,
      region.utf8.allSatisfy(isPlain),
      names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.allSatisfy(isPlain) })
    else { return nil }
    let url = endpoint ?? "https://s3.\(region).amazonaws.com"
    let host = url.drop { $0 != "/" }.dropFirst(2)
    guard ["http://", "https://"].contains(where: url.hasPrefix), !host.isEmpty,
      host.utf8.allSatisfy({ isPlain($0) || ":[]".utf8.contains($0) })
    else { return nil }
    (self.endpoint, self.bucket, self.roots) = (url, String(bucket), roots)
    prefix = names.dropFirst().map { $0 + "/" }.joined()
    signature = RequestSignature(accessKey: accessKey, secretKey: secretKey, region: region, service: "s3")
    fields = token.map { [("x-amz-security-token", $0)] } ?? []
  }

  package static let scheme = "s3://"
  private static let suffix = ".card"

  package var description: String { "\(Self.scheme)\(bucket)\(prefix.isEmpty ? "" : "/" + prefix.dropLast())" }

  func url(of id: SharedCardID) -> String { "\(endpoint)/\(bucket)/\(prefix)\(id)\(Self.suffix)" }

  /// Returns the id of the card whose object has this key; `nil` for an object that is not a card's.
  func id(of key: String) -> SharedCardID? {
    guard key.hasPrefix(prefix), key.hasSuffix(Self.suffix) else { return nil }
    return SharedCardID(key.dropFirst(prefix.count).dropLast(Self.suffix.count))
  }

  /// Returns the URL of a list of objects. For the signature, its parameters are in the order of their names, and all
  /// but unreserved characters are escaped.
  func listURL(after token: String?) -> String {
    let start = token.map { "continuation-token=\(Self.escaped($0))&" } ?? ""
    return "\(endpoint)/\(bucket)?\(start)list-type=2&prefix=\(Self.escaped(prefix))"
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
