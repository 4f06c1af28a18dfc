import BumpVaultAPI
import BumpWallet

/// The query of a request: values by name, each once.
struct Query: Sendable {
  private let values: [String: String]

  /// - Parameter names: the names that there may be; `nil` to ignore the query.
  /// - Throws: `unknownField` or `duplicateField`, as for the fields of a body.
  init(_ text: some StringProtocol, allowing names: Set<String>?) throws(Problem) {
    var values: [String: String] = [:]
    guard let names else {
      self.values = [:]
      return
    }
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      guard names.contains(parts[0]) else {
        throw Problem(.unknownField, "the query has a parameter that is not known here")
      }
      guard values[parts[0]] == nil else {
        throw Problem(.duplicateField, "the parameter \(parts[0]) occurs twice", field: parts[0])
      }
      values[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    self.values = values
  }

  /// Returns a whole number above zero; `nil` if the query does not have it.
  ///
  /// - Throws: `badField`.
  func number(_ name: String) throws(Problem) -> Int64? {
    guard let text = values[name] else { return nil }
    guard let number = Int64(text), number > 0, String(number) == text else {
      throw Problem(.badField, "the parameter \(name) is not a whole number above zero", field: name)
    }
    return number
  }

  /// Returns the nonce for a proof of the vault's identity; `nil` if the query does not have it.
  ///
  /// - Throws: `malformed`.
  func nonce() throws(Problem) -> Bytes32? {
    guard let text = values["nonce"] else { return nil }
    guard let nonce = try? Bytes32("0x\(text)") else {
      throw Problem(
        .malformed, "the nonce is not 32 bytes in hex", remedy: "Draw 32 bytes, and send them as 64 hex digits",
        field: "nonce")
    }
    return nonce
  }
}
