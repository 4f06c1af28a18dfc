import BumpClaims
import BumpWallet

/// A draft, and whether its claim's amount was locked.
struct DraftRow: ChainStoredRow {
  static let table = ChainTable.drafts
  let draft: ChainDraft
  /// One whose amount was locked does not lapse.
  let isLocked: Bool

  init(_ draft: ChainDraft, isLocked: Bool) { (self.draft, self.isLocked) = (draft, isLocked) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    guard let claimID = try? ClaimID(try body.text()) else { throw .damagedRow }
    draft = ChainDraft(claimID: claimID, terms: try body.terms(), since: try body.number())
    isLocked = try body.flag()
  }

  var key: [UInt8] { Array(draft.claimID.description.utf8) }
  var first: [UInt8]? { draft.terms.ledgerID.bytes }
  var number: Int64? { isLocked ? nil : draft.since }

  func write(to body: inout BodyWriter) {
    body.put(key)
    body.put(draft.terms)
    body.put(draft.since)
    body.put(isLocked)
  }
}

/// A request, and the id of the call that carries it.
struct RequestRow: ChainStoredRow {
  static let table = ChainTable.requests
  let row: ChainRequestRow
  let callID: Bytes32

  init(_ row: ChainRequestRow, callID: Bytes32) { (self.row, self.callID) = (row, callID) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    let request: ChainRequest
    switch try body.number(UInt8.self) {
    case 0:
      let (terms, sender) = (try body.terms(), try body.address())
      guard let validBefore = Expiry(unixSeconds: try body.number()) else { throw .damagedRow }
      request = .deposit(terms, from: sender, validBefore: validBefore, authorization: try body.bytes())
    case 1: request = .claim(try body.bytes32(), proof: try body.bytes(), receiver: try body.address())
    case 2: request = .refund(try body.bytes32())
    default: throw .damagedRow
    }
    let state: ChainRequestRow.State
    switch try body.number(UInt8.self) {
    case 0: state = .waiting
    case 1: state = .submitted(try body.bytes32())
    case 2: state = .mined(try body.bytes32(), block: try body.number(), isSuccessful: try body.flag())
    case 3: state = .dropped
    default: throw .damagedRow
    }
    row = ChainRequestRow(request: request, state: state, asked: try body.number())
    callID = try body.bytes32()
  }

  static func key(_ ledgerID: Bytes32, _ kind: SponsoredKind) -> [UInt8] { ledgerID.bytes + [kind.code] }
  var key: [UInt8] { Self.key(row.request.ledgerID, row.request.kind) }
  var first: [UInt8]? { callID.bytes }
  var number: Int64? { row.state == .waiting ? row.asked : nil }

  func with(_ state: ChainRequestRow.State) -> Self {
    Self(ChainRequestRow(request: row.request, state: state, asked: row.asked), callID: callID)
  }

  func write(to body: inout BodyWriter) {
    body.put(row.request.kind.code)
    switch row.request {
    case .deposit(let terms, let sender, let validBefore, let authorization):
      body.put(terms)
      body.put(sender)
      body.put(validBefore.unixSeconds)
      body.put(authorization)
    case .claim(let ledgerID, let proof, let receiver):
      body.put(ledgerID)
      body.put(proof)
      body.put(receiver)
    case .refund(let ledgerID): body.put(ledgerID)
    }
    switch row.state {
    case .waiting: body.put(UInt8(0))
    case .submitted(let hash):
      body.put(UInt8(1))
      body.put(hash)
    case .mined(let hash, let block, let isSuccessful):
      body.put(UInt8(2))
      body.put(hash)
      body.put(block)
      body.put(isSuccessful)
    case .dropped: body.put(UInt8(3))
    }
    body.put(row.asked)
    body.put(callID)
  }
}

extension SponsoredKind {
  /// The kind's number in rows.
  var code: UInt8 {
    switch self {
    case .deposit: 0
    case .claim: 1
    case .refund: 2
    }
  }
}

extension BodyWriter {
  mutating func put(_ terms: ClaimTerms) {
    put(terms.secretHash)
    put(terms.token)
    put(terms.amount.baseUnits)
    put(terms.expiry.unixSeconds)
  }
}

extension BodyReader {
  mutating func terms() throws(ChainStoreError) -> ClaimTerms {
    let (secretHash, token) = (try bytes32(), try address())
    guard let amount = Amount(baseUnits: try number()), let expiry = Expiry(unixSeconds: try number()) else {
      throw .damagedRow
    }
    return ClaimTerms(secretHash: secretHash, token: token, amount: amount, expiry: expiry)
  }
}
