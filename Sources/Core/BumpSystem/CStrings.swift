import Glibc

/// C strings, which are wiped and freed with this object: one of them may be a password.
package final class CStrings {
  private var all: [UnsafeMutablePointer<CChar>] = []

  package init() {}

  /// - Returns: `nil` for `nil`.
  package func add(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text, let copy = strdup(text) else { return nil }
    all.append(copy)
    return UnsafePointer(copy)
  }

  deinit {
    for text in all {
      explicit_bzero(text, strlen(text))
      free(text)
    }
  }
}

extension Duration {
  /// The milliseconds for libcurl: at least one, since zero is no limit there.
  package var limitInMilliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(min(seconds, 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
