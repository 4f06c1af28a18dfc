/// An Xcode scheme, of which only the URL that starts a clip is read.
enum Scheme {
  /// Returns the values of `_XCAppClipURL` that are not switched off, with their lines.
  static func debugURLs(_ bytes: [UInt8]) throws(Malformed) -> [(url: String, line: Int)] {
    var scanner = try XMLScanner(bytes)
    var urls: [(url: String, line: Int)] = []
    while let token = try scanner.next() {
      guard case .start("EnvironmentVariable", let attributes, _) = token, attributes["key"] == "_XCAppClipURL",
        attributes["isEnabled"] != "NO", let url = attributes["value"], !url.isEmpty
      else { continue }
      urls.append((url, scanner.line))
    }
    return urls
  }
}
