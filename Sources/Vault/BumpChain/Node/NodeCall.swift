import BumpVaultAPI

/// A request to a node of a chain, and how to read its answer (JSON-RPC 2.0; Ethereum's execution API).
public struct NodeCall<Result: Sendable>: Sendable {
  /// The method, such as `eth_call`.
  public let method: String
  private let parameters: [JSONValue]
  private let read: @Sendable (JSONValue) throws(NodeError) -> Result

  init(
    _ method: String, _ parameters: [JSONValue],
    _ read: @escaping @Sendable (JSONValue) throws(NodeError) -> Result
  ) {
    (self.method, self.parameters, self.read) = (method, parameters, read)
  }

  /// Returns the request's body.
  ///
  /// - Parameter id: a number that no other request on this connection has.
  public func message(id: Int64) -> [UInt8] {
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": .array(parameters),
    ]
    return message.encoded
  }

  /// Reads the answer's body. It comes from a machine that may be anybody's.
  ///
  /// - Throws: `NodeError`, with a `refusal` if the node refused the request.
  public func result(_ body: [UInt8], id: Int64) throws(NodeError) -> Result {
    try read(NodeAnswer.result(body, id: id))
  }
}

/// The envelope of an answer (JSON-RPC 2.0 §5).
enum NodeAnswer {
  /// A block with some 10,000 hashes of transactions, or its logs, takes about 1 MB.
  static let limits = JSONParser.Limits(count: 8 << 20, depth: 8, skipsOtherNumbers: true)

  /// Returns an answer's result, which may be `null`.
  static func result(_ body: [UInt8], id: Int64) throws(NodeError) -> JSONValue {
    let answer = try NodeFields(parse(body), "the answer")
    guard answer["jsonrpc"] == .string("2.0") else {
      throw NodeError(.malformed, "the node's answer is not of JSON-RPC 2.0")
    }
    switch (answer["result"], answer["error"]) {
    case (let result?, nil), (let result?, .null?):
      guard answer["id"] == .integer(id) else {
        throw NodeError(.otherAnswer, "the node's answer belongs to another request")
      }
      return result
    // A node that could not read the request answers with the id null.
    case (nil, let error?), (.null?, let error?):
      guard answer["id"] == .integer(id) || answer["id"] == .null else {
        throw NodeError(.otherAnswer, "the node's answer belongs to another request")
      }
      throw try refusal(error)
    default: throw NodeError(.malformed, "the node's answer has not one of result and error")
    }
  }

  private static func parse(_ body: [UInt8]) throws(NodeError) -> JSONValue {
    do {
      return try JSONParser.parse(body, within: limits)
    } catch {
      // The parser's words speak of a client's request.
      switch error.code {
      case .tooLarge: throw NodeError(.tooLarge, "the node's answer has more than \(limits.count) bytes")
      case .duplicateField: throw NodeError(.malformed, "the node's answer has a name twice")
      default: throw NodeError(.malformed, "the node's answer is not JSON, or nested too deep")
      }
    }
  }

  private static func refusal(_ error: JSONValue) throws(NodeError) -> NodeError {
    let fields = try NodeFields(error, "the node's error")
    guard case .integer(let code)? = fields["code"], case .string(let message)? = fields["message"] else {
      throw NodeError(.malformed, "the node's error has no code and message")
    }
    // It may be anything. Only what a call returned is of use.
    let data = try? fields.optional("data", NodeValue.data)
    let refusal = NodeRefusal(code: code, message: message, data: data ?? [])
    return NodeError(.refused, "the node refused: \(refusal.message) (\(code))", refusal: refusal)
  }
}
