import BumpStore
import BumpVaultAPI
package import BumpWallet

/// The transactions of one's own that carry a claim's call to its contract, as the record of its money keeps them in the
/// place of a request: `{"transactions": [{"hash": "0x…", "receiver": "0x…"}]}`.
package struct OwnTransactions: Hashable, Sendable {
  /// A transaction, and the address that it pays; `nil` for a refund.
  package struct Transaction: Hashable, Sendable {
    package let hash: Bytes32
    package let receiver: Address?

    package init(_ hash: Bytes32, paying receiver: Address?) {
      (self.hash, self.receiver) = (hash, receiver)
    }
  }

  /// How many are kept.
  private static let most = 16

  /// The transactions, the latest last.
  package private(set) var all: [Transaction]

  /// Reads a record's request. One that was made for a vault has none.
  init(_ request: String?) {
    all = request.flatMap { try? Self.read($0) } ?? []
  }

  private static func read(_ request: String) throws -> [Transaction] {
    var fields = try JSONFields(Array(request.utf8))
    return try fields.required("transactions") { list in
      try list.array().map { (value: JSONValue) in
        var fields = try JSONFields(value)
        return Transaction(
          try fields.required("hash") { try Bytes32($0.string()) },
          paying: try fields.optional("receiver", Fields.address))
      }
    }
  }

  /// Adds a transaction, once. The oldest beyond sixteen is forgotten.
  mutating func add(_ transaction: Transaction) {
    all = (all.filter { $0.hash != transaction.hash } + [transaction]).suffix(Self.most)
  }

  /// Returns whether one of the transactions pays an address.
  func pay(_ address: Address) -> Bool { all.contains { $0.receiver == address } }

  /// The text for a record.
  var text: String {
    let list = all.map { transaction -> JSONValue in
      ["hash": .text(transaction.hash), "receiver": .text(transaction.receiver)]
    }
    let value: JSONValue = ["transactions": .array(list)]
    return value.text
  }
}

/// A record that was written for a transaction of one's own, and the one before it, to which it is taken back if certainly
/// no byte of the transaction was sent.
package struct OwnRecord: Sendable {
  let written: Funding
  let before: Funding?
}
