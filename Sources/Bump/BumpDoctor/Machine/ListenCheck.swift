import BumpText

/// Checks whether another program listens on the TCP port of a sender here.
enum ListenCheck {
  /// Judges the port.
  ///
  /// - Parameter listeners: the names of the programs that listen on the port. A sender of this machine may be one.
  static func judge(_ listeners: [String], port: UInt16) -> Finding? {
    // Escaped, since a program may choose any name.
    let others = Set(listeners).subtracting(["bump"]).map { VisibleText.of($0) }.sorted()
    guard !others.isEmpty else { return nil }
    return .note(
      .port, "TCP port \(port) is taken by \(others.joinedInProse)", cause: "a sender cannot listen on it meanwhile",
      remedy: "choose another port, or end that program. `sudo ss -tlnp 'sport = :\(port)'` names it")
  }
}
