public import BumpClaims
import BumpText

/// The link to a shared card: `https://…/{UUID}#k=` and the key. Anyone who has the link can read the card.
///
/// The key comes after `#`, so a browser never sends it to a server.
public struct SharedCardLink: Hashable, Sendable {
  /// The base of a link, unless another is given. Its host is a placeholder, which nobody serves.
  public static let defaultBase = "https://yourapp.com/appclip/shared"

  /// Whether the link has the default base, so that a server has to be named to fetch its card.
  public var namesNoServer: Bool { base == Self.defaultBase }

  /// The part before `/{UUID}`.
  public let base: String
  /// The card's name in its store.
  public let id: SharedCardID
  /// The key that decrypts the card. It is not part of `address`.
  public let key: SharedCardKey

  /// Makes a link.
  ///
  /// - Throws: `ClaimError.link` unless the base is valid for a claim link too, and is of https.
  public init(base: String = Self.defaultBase, id: SharedCardID, key: SharedCardKey) throws(ClaimError) {
    try ClaimLink.check(base: base)
    guard base.hasPrefix("https://") else { throw ClaimError(.link, "the link of a card is https") }
    (self.base, self.id, self.key) = (base, id, key)
  }

  /// Reads the text of a link, with its UUID in either case.
  ///
  /// - Throws: `SharedCardError`, `link`. The error does not repeat the text.
  public init(_ text: String) throws(SharedCardError) {
    let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard
      text.utf8.count <= 1024, halves.count == 2, let slash = halves[0].lastIndex(of: "/"),
      let id = SharedCardID(halves[0][slash...].dropFirst()), halves[1].hasPrefix("k="),
      let key = Base64.urlDecoded(halves[1].dropFirst(2)).flatMap(SharedCardKey.init),
      let link = try? Self(base: String(halves[0][..<slash]), id: id, key: key)
    else { throw SharedCardError(.link) }
    self = link
  }

  /// The address of the record in a store over HTTP: the link without its key.
  public var address: String { "\(base)/\(id)" }

  /// The complete link.
  public var text: String { "\(address)#k=\(key.exposed)" }
}

extension SharedCardLink: CustomStringConvertible {
  public var description: String { "\(address)#<redacted>" }
}
