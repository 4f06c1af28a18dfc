import BumpText

/// A claim as a link, the content of the QR code. Anybody who has the link can take the money: show it to a person, and
/// nowhere else.
///
/// The secret is after `#`, so a browser never sends it to a server.
public struct ClaimLink: Hashable, Sendable {
  /// The default base of a link.
  public static let defaultBase = "https://irl.app/claim"

  /// The part before `/{claimId}`.
  public let base: String
  /// The claim, with its secret.
  public let claim: Claim
  /// When the claim expires.
  public let expiry: Expiry

  /// Makes a link.
  ///
  /// - Throws: `ClaimError.link` unless `base` is `https://` and printable ASCII of at most 512 bytes, without `#`,
  ///   quotes, backslash, white space or a `/` at its end. `http://` is possible with a host that is this machine.
  public init(base: String = Self.defaultBase, claim: Claim, expiry: Expiry) throws(ClaimError) {
    try Self.check(base: base)
    self.base = base
    self.claim = claim
    self.expiry = expiry
  }

  /// Checks the base of a link.
  ///
  /// - Throws: `ClaimError.link`, as `init` does.
  public static func check(base: String) throws(ClaimError) {
    guard
      base.utf8.count <= ClaimLimits.link / 2, isPrivate(base),
      base.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"#'\"\\".utf8.contains($0) }),
      base.utf8.last != UInt8(ascii: "/")
    else {
      throw ClaimError(
        .link, "a link base looks like \(defaultBase): https (http on this machine), no # or quote, no / at its end")
    }
  }

  /// Returns whether a base is of https, or of http on this machine: on the way to another one, somebody could change the
  /// page that opens the link.
  private static func isPrivate(_ base: String) -> Bool {
    let scheme = "https://"
    if base.hasPrefix(scheme) { return base.utf8.count > scheme.utf8.count }
    let plain = /http:\/\/([a-z0-9.]+|\[::1\])(?::[0-9]{1,5})?(?:\/.*)?/
    guard let host = base.wholeMatch(of: plain)?.1 else { return false }
    return host == "[::1]" || LoopbackHost.contains(String(host))
  }

  /// The link without `&m=` and its MAC: the input of the MAC.
  public var unsealed: String {
    "\(base)/\(claim.id)#s=\(Base64.urlEncoded(claim.secret.exposed))&a=\(claim.amount)&t=\(claim.token)&x=\(expiry)"
  }

  /// Returns the complete link with a MAC.
  public func sealed(mac: [UInt8]) -> String { "\(unsealed)&m=\(Base64.urlEncoded(mac))" }
}

extension ClaimLink: CustomStringConvertible {
  public var description: String { "\(base)/\(claim.id)#<redacted>" }
}

/// A well-formed link whose MAC is not verified yet.
public struct UnverifiedClaimLink: Hashable, Sendable {
  /// The link without its MAC.
  public let link: ClaimLink
  /// The MAC, 16 bytes.
  public let mac: [UInt8]

  /// Reads the text of a link.
  ///
  /// - Throws: `ClaimError.link` unless the text is the only encoding of a link with a MAC of 16 bytes, at most 1,024
  ///   bytes.
  public init(_ text: String) throws(ClaimError) {
    // Compare bytes: comparing strings, Swift would accept a kelvin sign for a K.
    guard
      text.utf8.count <= ClaimLimits.link, let parsed = Self.scan(text),
      parsed.link.sealed(mac: parsed.mac).utf8.elementsEqual(text.utf8)
    else {
      throw ClaimError(.link, "not a whole claim link", remedy: "Scan it again, or ask for a new one")
    }
    self = parsed
  }

  private init(link: ClaimLink, mac: [UInt8]) {
    self.link = link
    self.mac = mac
  }

  private static func scan(_ text: String) -> Self? {
    let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let slash = halves[0].lastIndex(of: "/") else { return nil }
    var scanner = CanonicalScanner(halves[1].utf8)
    guard scanner.take("s=") else { return nil }
    let secret = scanner.take(while: ASCII.isURLSafe)
    guard scanner.take("&a=") else { return nil }
    let amount = scanner.take(while: CanonicalScanner.isNumeric)
    guard scanner.take("&t=") else { return nil }
    let token = scanner.take(while: Token.isCharacter)
    guard scanner.take("&x=") else { return nil }
    let expiry = scanner.take(while: ASCII.isDigit)
    guard scanner.take("&m=") else { return nil }
    let mac = scanner.take(while: ASCII.isURLSafe)
    guard
      scanner.isAtEnd, let secret = Base64.urlDecoded(secret), let expiry = Expiry(digits: expiry),
      let mac = Base64.urlDecoded(mac), mac.count == ClaimLimits.linkMAC,
      let claim = try? Claim(
        id: ClaimID(halves[0][slash...].dropFirst()), secret: ClaimSecret(secret), token: Token(token),
        amount: Amount(amount)),
      let link = try? ClaimLink(base: String(halves[0][..<slash]), claim: claim, expiry: expiry)
    else { return nil }
    return Self(link: link, mac: mac)
  }
}
