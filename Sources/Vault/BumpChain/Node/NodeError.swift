import BumpText

/// The reason why a node's answer is of no use. Errors are equal if their codes are.
public struct NodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case tooLarge, malformed, otherAnswer, badResult, contradiction, refused }
    private let kind: Kind

    /// The answer has more bytes than the node may send.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The answer is no JSON, or no answer of JSON-RPC 2.0.
    public static let malformed = Code(kind: .malformed)
    /// The answer belongs to another request.
    public static let otherAnswer = Code(kind: .otherAnswer)
    /// The result is not of the kind that the method returns.
    public static let badResult = Code(kind: .badResult)
    /// The result contradicts the request, or an earlier answer.
    public static let contradiction = Code(kind: .contradiction)
    /// The node refused the request: `refusal` says why.
    public static let refused = Code(kind: .refused)
  }

  /// The kind of error, the only part that `==` compares.
  public let code: Code
  /// What is wrong, for the operator.
  public let reason: String
  /// The node's own error, with `refused`.
  public let refusal: NodeRefusal?

  init(_ code: Code, _ reason: String, refusal: NodeRefusal? = nil) {
    (self.code, self.reason, self.refusal) = (code, reason, refusal)
  }

  /// The reason.
  public var description: String { reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The error with which a node refused a request (JSON-RPC 2.0 §5.1).
///
/// Nodes agree on few codes, and on few texts. So a kind may make something happen sooner, such as a search for the
/// receipt; what is believed never depends on it.
public struct NodeRefusal: Hashable, Sendable {
  /// What the error means.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The node has this very transaction. It may also be in a block.
    case alreadyKnown
    /// A transaction with this nonce is in a block. It may be this one.
    case nonceTooLow
    /// The node wants an earlier transaction first.
    case nonceTooHigh
    /// A replacement pays too little more than the transaction that it replaces.
    case replacementUnderpriced
    /// The fees are below what the node takes now.
    case underpriced
    /// The sender's balance does not cover the gas.
    case insufficientFunds
    /// The node has no room for the transaction.
    case poolIsFull
    /// The call reverts.
    case reverted
    /// There were too many requests.
    case tooManyRequests
    /// The node does not have the method.
    case unknownMethod
    /// Anything else.
    case other
  }

  /// What the error means, as far as code and text tell.
  public let kind: Kind
  /// The node's code.
  public let code: Int64
  /// The node's text, harmless to show, and at most 200 characters long.
  public let message: String
  /// What a reverted call returned; empty if there is nothing.
  public let data: [UInt8]

  init(code: Int64, message: String, data: [UInt8]) {
    (self.code, self.data) = (code, data)
    self.message = VisibleText.of(String(message.unicodeScalars.prefix(200)))
    kind = Self.kind(code, message)
  }

  /// Texts of geth, and those of Erigon, Nethermind, Besu and reth that differ. The first that an error contains counts.
  private static let texts: [(String, Kind)] = [
    ("already known", .alreadyKnown), ("alreadyknown", .alreadyKnown), ("known transaction", .alreadyKnown),
    ("already imported", .alreadyKnown), ("existing tx with same hash", .alreadyKnown),
    ("nonce too low", .nonceTooLow), ("nonce is too low", .nonceTooLow), ("oldnonce", .nonceTooLow),
    ("nonce too high", .nonceTooHigh), ("nonce is too high", .nonceTooHigh),
    ("replacement transaction underpriced", .replacementUnderpriced), ("could not replace", .replacementUnderpriced),
    ("feetoolowtocompete", .replacementUnderpriced), ("replacementnotallowed", .replacementUnderpriced),
    ("underpriced", .underpriced), ("feetoolow", .underpriced), ("less than block base fee", .underpriced),
    ("insufficient funds", .insufficientFunds), ("insufficientfunds", .insufficientFunds),
    ("upfront cost exceeds", .insufficientFunds), ("pool is full", .poolIsFull), ("revert", .reverted),
    ("rate limit", .tooManyRequests), ("too many requests", .tooManyRequests),
  ]

  private static func kind(_ code: Int64, _ message: String) -> Kind {
    let text = message.prefix(1000).lowercased()
    if let found = texts.first(where: { text.contains($0.0) }) { return found.1 }
    switch code {
    case 3: return .reverted
    case -32601: return .unknownMethod
    case -32005, 429: return .tooManyRequests
    default: return .other
    }
  }
}
