/// The hosts of URLs that are this machine itself.
package enum LoopbackHost {
  /// Returns whether a host is this machine: `localhost`, or a loopback address.
  ///
  /// - Parameter host: a name, or an IP address without brackets.
  package static func contains(_ host: String) -> Bool {
    let host = host.lowercased()
    return host == "localhost" || host == "::1" || host.wholeMatch(of: /127(?:\.[0-9]{1,3}){3}/) != nil
  }
}
