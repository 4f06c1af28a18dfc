/// Sends requests to a vault and returns its answers.
public protocol VaultTransport: Sendable {
  /// Sends a request once.
  func send(_ request: VaultRequest, within limit: Duration) async -> VaultReply

  /// Opens a stream of events. Returns when it has ended, or when `take` has returned `false`.
  ///
  /// - Parameter take: called with the bytes as they are received; returns whether to go on.
  func listen(to request: VaultRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool) async
}
