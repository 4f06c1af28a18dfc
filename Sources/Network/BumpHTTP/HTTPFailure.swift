/// Why a request has no complete answer.
package struct HTTPFailure: Hashable, Sendable {
  /// What kind of failure it is: trying again later helps against `other` alone.
  package enum Code: Hashable, Sendable {
    /// The server's certificate was not accepted.
    case untrusted
    /// The server does not answer as TLS does: it may speak plain HTTP.
    case noTLS
    /// The server closed the connection: it may speak TLS alone.
    case noAnswer
    /// Another failure, which only the reason names.
    case other
  }

  /// The kind of failure.
  package let code: Code
  /// The words for a person, which continue a sentence. They contain nothing of the request.
  package let reason: String

  init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

  /// - Parameter words: what libcurl says, which begins with a capital letter; empty for nothing.
  init(words: String) {
    // An abbreviation such as SSL stays as it is.
    let isAbbreviation = words.dropFirst().first?.isUppercase == true
    let continued = isAbbreviation ? words : words.prefix(1).lowercased() + words.dropFirst()
    self.init(.other, words.isEmpty ? "the connection failed" : continued)
  }
}
