/// How requests get to a vault and answers back.
public protocol VaultTransport: Sendable {
  /// Sends a request, once.
  func send(_ request: VaultRequest, within limit: Duration) async -> VaultReply

  /// Opens a stream of events, and returns when it has ended, or `take` has returned `false`.
  ///
  /// - Parameter take: is given the bytes as they come.
  func listen(to request: VaultRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool) async
}
