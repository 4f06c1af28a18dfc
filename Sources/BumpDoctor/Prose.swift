import Glibc

extension Sequence<String> {
  /// `a`, `a and b`, `a, b and c`.
  var joinedInProse: String {
    let words = Array(self)
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// What an error number means, for a person.
func words(errno code: Int32) -> String { String(cString: strerror(code)).lowercased() }

/// The text of an address of 4 or 16 bytes.
func text(of address: [UInt8], _ family: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
    guard let start = buffer.baseAddress, inet_ntop(family, address, start, socklen_t(buffer.count)) != nil else {
      return "?"
    }
    return String(cString: start)
  }
}
