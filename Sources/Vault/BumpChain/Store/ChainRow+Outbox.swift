import BumpWallet

/// An entry of a relayer's outbox.
struct EntryRow: ChainStoredRow {
  static let table = ChainTable.entries
  let relayer: Address
  let entry: OutboxEntry

  init(_ entry: OutboxEntry, of relayer: Address) { (self.entry, self.relayer) = (entry, relayer) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    relayer = try body.address()
    let (nonce, code): (UInt64, UInt8) = (try body.number(), try body.number())
    guard let kind = SponsoredKind.allCases.first(where: { $0.code == code }) else { throw .damagedRow }
    let call = RelayedCall(
      kind, of: try body.address(), data: try body.bytes(), gasLimit: try body.number())
    var attempts: [OutboxEntry.Attempt] = []
    for _ in 0..<(try body.number(UInt32.self)) {
      let fees = Fees(maximum: try body.number(), priority: try body.number())
      attempts.append(OutboxEntry.Attempt(fees: fees, transaction: SignedTransaction(try body.bytes())))
    }
    let receipt = try body.flag() ? try body.receipt() : nil
    guard let entry = OutboxEntry(nonce: nonce, call: call, attempts: attempts, receipt: receipt) else {
      throw .damagedRow
    }
    self.entry = entry
  }

  static func key(_ relayer: Address, _ nonce: UInt64) -> [UInt8] { relayer.bytes + nonce.bigEndianBytes }
  var key: [UInt8] { Self.key(relayer, entry.nonce) }

  func write(to body: inout BodyWriter) {
    body.put(relayer)
    body.put(entry.nonce)
    body.put(entry.call.kind.code)
    body.put(entry.call.contract)
    body.put(entry.call.data)
    body.put(entry.call.gasLimit)
    body.put(UInt32(entry.attempts.count))
    for attempt in entry.attempts {
      body.put(attempt.fees.maximum)
      body.put(attempt.fees.priority)
      body.put(attempt.transaction.bytes)
    }
    body.put(entry.receipt != nil)
    if let receipt = entry.receipt { body.put(receipt) }
  }
}

extension BodyWriter {
  fileprivate mutating func put(_ receipt: TransactionReceipt) {
    put(receipt.transaction)
    put(receipt.blockHash)
    put(receipt.blockNumber)
    put(receipt.isSuccessful)
    put(receipt.gasUsed)
    put(receipt.gasPrice)
    put(receipt.dataFee)
  }
}

extension BodyReader {
  fileprivate mutating func receipt() throws(ChainStoreError) -> TransactionReceipt {
    TransactionReceipt(
      transaction: try bytes32(), blockHash: try bytes32(), blockNumber: try number(), isSuccessful: try flag(),
      gasUsed: try number(), gasPrice: try number(), dataFee: try number())
  }
}
