#if Vault
  import BumpChain
  import BumpChainVault
  import BumpVaultAPI
  import BumpWallet

  extension ChainStatus {
    /// The status for a person, a line for each thing.
    var text: String {
      let unknown = "unknown"
      var lines = [
        "chain     \(chainID), contract \(contract)",
        "index     block \(tip.map { "\($0.number)" } ?? "none"), \(lag.map { "\($0)" } ?? unknown) behind the chain's \(head.map { "\($0)" } ?? unknown); final up to \(finalized.map { "\($0)" } ?? unknown)",
        "relayer   \(relayer) has \(balance.map(CoinAmount.text) ?? unknown)\(paying)",
        "server    \(leaseSeconds.map { "one holds the relayer's key for \($0) s, and renews that time" } ?? "none holds the relayer's key: nothing is followed or sent")",
        "fees now  \(fees.map(Self.text) ?? "unknown, or above the cap: calls wait")",
        "requests  \(waiting) wait for a relayer, \(calls.count) are not final",
      ]
      lines += calls.map { call in
        let place = call.block.map { "in block \($0)" } ?? "in no block"
        return
          "call      number \(call.nonce), \(call.kind.rawValue), \(place), sent \(call.attempts) times, \(Self.text(call.fees)), \(call.transaction)"
      }
      lines += nodes.map { node in
        let state = node.failure ?? (node.isBehind ? "behind the others" : "answers")
        return "node      \(node.name): \(state)"
      }
      return lines.map { $0 + "\n" }.joined()
    }

    private var paying: String {
      if balance == nil { return "" }
      return isFunded ? "" : ", less than \(CoinAmount.text(balanceFloor)): it pays for nothing new. Send it coins"
    }

    private static func text(_ fees: Fees) -> String {
      "at most \(CoinAmount.text(UInt128(fees.maximum))) for one unit of gas, \(CoinAmount.text(UInt128(fees.priority))) of it for the builder"
    }

    /// The status for a program. Coins are decimal strings in wei; what is not known is missing.
    var json: JSONValue {
      [
        "chainId": .integer(Int64(clamping: chainID)), "contract": .text(contract),
        "head": Self.number(head), "tip": Self.number(tip?.number), "behind": Self.number(lag),
        "finalized": Self.number(finalized),
        "relayer": [
          "address": .text(relayer), "balance": .text(balance), "minimumBalance": .text(balanceFloor),
          "isFunded": balance == nil ? nil : .bool(isFunded),
        ],
        "fees": fees.map(Self.json), "waiting": .integer(Int64(waiting)),
        "leaseSeconds": leaseSeconds.map { .integer($0) },
        "calls": .array(
          calls.map { call in
            [
              "number": Self.number(call.nonce), "kind": .string(call.kind.rawValue),
              "attempts": .integer(Int64(call.attempts)), "transaction": .text(call.transaction),
              "fees": Self.json(call.fees), "block": Self.number(call.block),
            ]
          }),
        "nodes": .array(
          nodes.map { node in
            [
              "name": .string(node.name), "head": Self.number(node.head), "failure": .text(node.failure),
              "isBehind": .bool(node.isBehind),
            ]
          }),
      ]
    }

    private static func number(_ value: UInt64?) -> JSONValue? { value.map { .integer(Int64(clamping: $0)) } }

    private static func json(_ fees: Fees) -> JSONValue {
      ["maximum": .text(fees.maximum), "priority": .text(fees.priority)]
    }
  }
#endif
