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
