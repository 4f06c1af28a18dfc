extension Running {
  /// Waits for a question that is answered by the last three of its digits, and types them.
  ///
  /// - Parameter count: how many bytes of the error stream to pass over.
  /// - Throws: `TimedOut`, or `NeverSaid` at the stream's end.
  public func confirmDigits(after count: Int = 0) async throws {
    try await text(" If not, n: ", on: .error, after: count)
    typeDigits()
  }

  /// Types the last three of the digits that were asked about last.
  public func typeDigits() {
    let asked = standardError.text.matches(of: /screen show \d{3} (\d{3})\?/).last
    type("\(asked?.1 ?? "")\n")
  }
}
