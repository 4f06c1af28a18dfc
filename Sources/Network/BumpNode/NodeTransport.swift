/// Carries one message of JSON-RPC to one node of a chain.
public protocol NodeTransport: Sendable {
  /// Sends a message, and returns what became of it. It must return in the end, with or without an answer.
  func send(_ message: [UInt8]) async -> NodeReply
}

/// What became of a message to a node.
public enum NodeReply: Hashable, Sendable {
  /// An answer over HTTP; `retryAfter` is its header field, in seconds.
  case answer(status: Int, retryAfter: Int64?, body: [UInt8])
  /// No byte of the message was sent, for this reason.
  case unsent(String)
  /// The node may have the message, and no whole answer came, for this reason.
  case lost(String)
}
