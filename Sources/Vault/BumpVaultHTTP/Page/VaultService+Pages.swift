import BumpVaultAPI

extension VaultService {
  /// Returns a page in the language that the browser prefers. Nothing else of the request is in it.
  func document(_ document: Pages.Document, _ request: VaultRequest) -> VaultResponse {
    let language = PageLanguage(preferredBy: request.values("Accept-Language"))
    return response(
      to: request,
      [
        .init("Content-Type", "text/html; charset=utf-8"), .init("Cache-Control", "no-store"),
        .init("Vary", "Accept-Language"),
      ], pages.content(of: document, in: language))
  }

  /// Returns a file that a page loads.
  ///
  /// - Throws: `notFound`, also for a file of another build.
  func asset(_ name: String, hash: String, _ request: VaultRequest) throws(Problem) -> VaultResponse {
    guard let asset = pages.asset(name, hash: hash) else {
      throw Problem(.notFound, "the vault's pages have no such file", remedy: "Load the page again")
    }
    let caching = Answer.Header("Cache-Control", "public, max-age=31536000, immutable")
    return response(to: request, [.init("Content-Type", asset.type), caching], asset.content)
  }

  /// Returns the hashes of the pages' files, for whoever compares them with a release.
  func manifest(_ request: VaultRequest) -> VaultResponse {
    let headers = [Answer.Header("Content-Type", "application/json"), Answer.Header("Cache-Control", "no-store")]
    return response(to: request, headers, pages.manifest)
  }

  /// Returns the answer for an icon, for which browsers ask unbidden: none. Pages name their own.
  func icon(_ request: VaultRequest) -> VaultResponse {
    response(204, to: request, [.init("Cache-Control", "public, max-age=86400")])
  }

  /// Returns the file by which Apple's systems know the apps of this host.
  ///
  /// - Throws: `notFound` if the operator named none.
  func association(_ request: VaultRequest) throws(Problem) -> VaultResponse {
    guard let file = settings.association else { throw Route.notFound }
    let caching = Answer.Header("Cache-Control", "public, max-age=3600")
    return response(to: request, [.init("Content-Type", "application/json"), caching], file)
  }

  private func response(
    _ status: Int = 200, to request: VaultRequest, _ headers: [Answer.Header], _ content: [UInt8] = []
  ) -> VaultResponse {
    let isStrict = settings.origin.url?.ownsItsHost == true
    return VaultResponse(
      status, headers: headers + Self.protections + (isStrict ? [Self.strictTransport] : []), body: .bytes(content))
  }

  /// A page loads its own files and asks its own vault, and nothing else. No other page may show it, and none learns its
  /// address, whose fragment has the secret.
  private static let protections: [Answer.Header] = [
    .init("Content-Security-Policy", policy), .init("Referrer-Policy", "no-referrer"),
    .init("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'",
    "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].joined(separator: "; ")

  /// A browser comes back by TLS alone for a year, to each port of the host (RFC 6797 §8.3).
  private static let strictTransport = Answer.Header("Strict-Transport-Security", "max-age=31536000")
}

extension VaultURL {
  /// Whether a rule for all ports of the host is the vault's to make: at the usual port of TLS, and not on this machine,
  /// where other programs serve pages too.
  fileprivate var ownsItsHost: Bool { isEncrypted && port == 443 && !isLoopback }
}
