extension RunningProcess {
  /// Waits for a question that is answered by the last three of its digits, and types them.
  ///
  /// - Parameters:
  ///   - count: how many bytes of the error stream to pass over.
  ///   - whole: whether to type all six digits, which is an answer too.
  /// - Throws: `TimedOut`, or `OutputEnded` at the stream's end.
  public func confirmDigits(after count: Int = 0, whole: Bool = false) async throws {
    try await text(" If not, n: ", on: .error, after: count)
    typeDigits(whole: whole)
  }

  /// Types the last three of the digits that were asked about last, or all six.
  public func typeDigits(whole: Bool = false) {
    let asked = standardError.text.matches(of: /screen show (\d{3} (\d{3}))\?/).last
    type("\((whole ? asked?.1 : asked?.2) ?? "")\n")
  }
}
