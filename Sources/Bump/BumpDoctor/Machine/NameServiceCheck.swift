/// Checks whether programs in general find names in `.local` (nsswitch.conf(5)). bump itself does.
enum NameServiceCheck {
  static func judge(_ text: String?) -> Finding? {
    guard let text, let sources = hostSources(text) else { return nil }
    let mdns = sources.filter { $0.hasPrefix("mdns") }
    guard mdns.isEmpty else { return .ok(.nsswitch, "/etc/nsswitch.conf looks hosts up by \(mdns.joinedInProse)") }
    return .note(
      .nsswitch, "/etc/nsswitch.conf has no mdns, which bump does not need",
      cause: "other programs, such as ping and --peer NAME.local:PORT, do not find names in .local",
      remedy: "sudo apt-get install libnss-mdns, if you want them to")
  }

  /// Returns the sources of host names, in order; `nil` without a `hosts` line.
  static func hostSources(_ text: String) -> [String]? {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmed == "hosts" else { continue }
      // Skips actions in brackets, such as [NOTFOUND=return].
      return parts[1].split(whereSeparator: \.isWhitespace).map(String.init).filter { !$0.hasPrefix("[") }
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
