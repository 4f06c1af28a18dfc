import BumpVaultAPI

extension VaultRequest {
  /// Checks that a page of the vault's own origin sends the request, not a page of another one in the same browser
  /// (cross-site request forgery). The header `Host` was checked before: see `checkHost`.
  ///
  /// A browser says where a request comes from: by `Origin` (RFC 6454 §7) in each that is not GET or HEAD, and by
  /// `Sec-Fetch-Site` (Fetch Metadata, W3C) over TLS and on its own machine. No page can set or remove these. What they do
  /// not say is refused, so a client that is no browser has to send one of them too.
  ///
  /// - Parameters:
  ///   - isEncrypted: whether the browser reaches the vault over TLS.
  ///   - isStrict: whether one of the headers has to be there, as in a request that changes something.
  /// - Throws: `crossSite`.
  func checkSameOrigin(isEncrypted: Bool, isStrict: Bool) throws(Problem) {
    let (sites, origins) = (values("Sec-Fetch-Site"), values("Origin"))
    let own = values("Host").first.flatMap(RequestHost.init)?.origin(isEncrypted: isEncrypted)
    guard
      sites.allSatisfy({ $0 == "same-origin" }), origins.allSatisfy({ $0 == own }),
      !isStrict || !(sites + origins).isEmpty
    else {
      throw Problem(
        .crossSite, "the request is not known to come from a page of this vault",
        remedy: "Open the vault's own page. A program sends the header Sec-Fetch-Site: same-origin")
    }
  }
}

extension RequestHost {
  /// Returns the origin of a page at this host, as browsers write it (RFC 6454 §6.1).
  func origin(isEncrypted: Bool) -> String {
    let (scheme, usual) = isEncrypted ? ("https", 443) : ("http", 80)
    let shown = name.contains(":") ? "[\(name)]" : name
    return "\(scheme)://\(shown)" + (port.flatMap { $0 == usual ? nil : ":\($0)" } ?? "")
  }
}
