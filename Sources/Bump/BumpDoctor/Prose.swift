import Glibc

extension Sequence<String> {
  /// The words as a list in a sentence: `a`, `a and b`, `a, b and c`.
  package var joinedInProse: String {
    let words = Array(self)
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// Returns an IP address of 4 or 16 bytes as text.
func text(of address: [UInt8], _ family: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
    guard let start = buffer.baseAddress, inet_ntop(family, address, start, socklen_t(buffer.count)) != nil else {
      return "?"
    }
    return String(cString: start)
  }
}
