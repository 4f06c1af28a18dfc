import BumpWallet

extension OutboxEntry {
  /// Returns whether a key has signed each attempt, and nothing else than the entry's call with its nonce and fees.
  func isSigned(by key: Address, chainID: UInt64) -> Bool {
    attempts.allSatisfy { attempt in
      ChainTransaction(
        chainID: chainID, nonce: nonce, fees: attempt.fees, gasLimit: call.gasLimit, to: call.contract, data: call.data
      ).isSigned(attempt.transaction, by: key)
    }
  }
}

extension ChainTransaction {
  /// Returns whether bytes are this transaction, signed by a key.
  func isSigned(_ signed: SignedTransaction, by signer: Address) -> Bool {
    // The signature is what follows the fields. Encoded anew with it, they must be the same bytes.
    let fields = unsigned
    for count in 3...67 {
      let tail = Array(signed.bytes.suffix(count))
      guard signed.bytes.count > count, signed.bytes == Self.encoded(fields, tail) else { continue }
      guard let signature = Self.signature(tail) else { return false }
      return signature.signer(of: signingHash) == signer
    }
    return false
  }

  /// Reads parity, r and s, each as RLP has a number.
  private static func signature(_ tail: [UInt8]) -> Signature? {
    var rest = tail[...]
    func number() -> [UInt8]? {
      guard let head = rest.popFirst() else { return nil }
      if head < 0x80 { return [UInt8](repeating: 0, count: 31) + [head] }
      let count = Int(head) - 0x80
      guard count <= 32, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return [UInt8](repeating: 0, count: 32 - count) + rest.prefix(count)
    }
    guard let parity = number(), let r = number(), let s = number(), rest.isEmpty, parity[31] <= 1 else { return nil }
    return try? Signature(r + s + [27 + parity[31]])
  }
}
