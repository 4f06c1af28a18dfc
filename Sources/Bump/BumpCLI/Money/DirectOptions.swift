import ArgumentParser
import BumpChain
import BumpNode
import BumpTerminal

/// The options for a transaction of one's own.
struct DirectOptions: ParsableArguments {
  // Parsed later: the parser's errors repeat the value, and a node's URL may contain a key.
  @Option(
    help: ArgumentHelp(
      "Ask no vault, but send a transaction to the chain by this node. Your wallet pays for the transaction.",
      valueName: "url"))
  var direct: String?

  @Option(
    help: ArgumentHelp(
      "With --direct, the most that one unit of gas may cost, by default \"0.1 gwei\" on Base and \"5 gwei\" elsewhere.",
      valueName: "amount"), transform: Arguments.gasPrice)
  var feeCap: UInt64?

  /// The node; `nil` without the option.
  var node: NodeURL? { direct.flatMap(NodeURL.init) }

  func validate() throws {
    guard direct == nil || node != nil else { throw ValidationError("a node is \(NodeURL.rule)") }
    guard direct != nil || feeCap == nil else { throw ValidationError("--fee-cap goes with --direct") }
  }
}

extension Arguments {
  static func gasPrice(_ text: String) throws -> UInt64 {
    guard let price = CoinAmount.wei(text).flatMap({ UInt64(exactly: $0) }), price > 0 else {
      throw ValidationError("--fee-cap is the price of one unit of gas, such as \"0.5 gwei\"")
    }
    return price
  }
}
