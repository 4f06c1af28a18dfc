/// The hosts of URLs that are this machine itself.
package enum LoopbackHost {
  /// Returns whether a host is this machine: `localhost`, or a loopback address.
  ///
  /// - Parameter host: a name, or an IP address without brackets.
  package static func contains(_ host: String) -> Bool {
    let host = host.lowercased()
    return host == "localhost" || host == "::1" || isIPv4(host)
  }

  /// Returns whether a host is an address of 127.0.0.0/8 in its usual form. With a number above 255, or a zero before
  /// one, it is a name to resolvers, and a DNS server of the network may answer it.
  private static func isIPv4(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { number in UInt8(number).map { "\($0)" == number } ?? false }
  }
}
