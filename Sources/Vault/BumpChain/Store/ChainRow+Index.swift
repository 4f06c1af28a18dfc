import BumpWallet

/// The row of which a store has one: what is the same for the whole index.
struct StateRow: ChainStoredRow {
  static let table = ChainTable.state
  static let key: [UInt8] = [0]
  var finalized: UInt64
  var revision: Int64

  init(finalized: UInt64, revision: Int64) { (self.finalized, self.revision) = (finalized, revision) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    (finalized, revision) = (try body.number(), try body.number())
  }

  var key: [UInt8] { Self.key }

  func write(to body: inout BodyWriter) {
    body.put(finalized)
    body.put(revision)
  }
}

/// A lease, and until when it is held.
struct LeaseRow: ChainStoredRow {
  static let table = ChainTable.leases
  let lease: ChainLease
  /// In seconds since 1970, by the store's clock.
  let until: Int64

  init(_ lease: ChainLease, until: Int64) { (self.lease, self.until) = (lease, until) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    lease = ChainLease(key: try body.address(), holder: try body.bytes32(), fence: try body.number())
    until = try body.number()
    guard lease.fence > 0 else { throw .damagedRow }
  }

  var key: [UInt8] { lease.key.bytes }

  func write(to body: inout BodyWriter) {
    body.put(lease.key)
    body.put(lease.holder)
    body.put(lease.fence)
    body.put(until)
  }
}

/// A header of the index.
struct HeaderRow: ChainStoredRow {
  static let table = ChainTable.headers
  let header: BlockHeader

  init(_ header: BlockHeader) { self.header = header }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    let (number, hash, parent): (UInt64, Bytes32, Bytes32) = (
      try body.number(), try body.bytes32(), try body.bytes32()
    )
    let time: UInt64 = try body.number()
    guard number < IndexedEvent.blocks, let bloom = Bloom(try body.bytes()) else { throw .damagedRow }
    header = BlockHeader(number: number, hash: hash, parent: parent, time: time, bloom: bloom)
  }

  var key: [UInt8] { header.number.bigEndianBytes }

  func write(to body: inout BodyWriter) {
    body.put(header.number)
    body.put(header.hash)
    body.put(header.parent)
    body.put(header.time)
    body.put(header.bloom.bytes)
  }
}

/// An event of the index, and the account whose movement it is.
struct EventRow: ChainStoredRow {
  static let table = ChainTable.events
  let event: IndexedEvent
  let account: Address

  init(_ event: IndexedEvent, account: Address) { (self.event, self.account) = (event, account) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    let (block, hash, time, position): (UInt64, Bytes32, UInt64, UInt64) = (
      try body.number(), try body.bytes32(), try body.number(), try body.number()
    )
    let (transaction, ledgerID) = (try body.bytes32(), try body.bytes32())
    account = try body.address()
    let event: VaultEvent
    switch try body.number(UInt8.self) {
    case 1:
      event = .created(
        ledgerID, sender: account, token: try body.address(), amount: try body.number(), expiry: try body.number())
    case 2: event = .claimed(ledgerID, receiver: account)
    case 3: event = .refunded(ledgerID)
    default: throw .damagedRow
    }
    guard block < IndexedEvent.blocks, position < IndexedEvent.positions else { throw .damagedRow }
    self.event = IndexedEvent(
      event, transaction: transaction, block: block, blockHash: hash, time: time, position: position)
  }

  var key: [UInt8] { event.number.bigEndianBytes }
  var first: [UInt8]? { event.event.ledgerID.bytes }
  var second: [UInt8]? { account.bytes }

  func write(to body: inout BodyWriter) {
    body.put(event.block)
    body.put(event.blockHash)
    body.put(event.time)
    body.put(event.position)
    body.put(event.transaction)
    body.put(event.event.ledgerID)
    body.put(account)
    switch event.event {
    case .created(_, _, let token, let amount, let expiry):
      body.put(UInt8(1))
      body.put(token)
      body.put(amount)
      body.put(expiry)
    case .claimed: body.put(UInt8(2))
    case .refunded: body.put(UInt8(3))
    }
  }
}
