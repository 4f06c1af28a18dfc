import BumpClaims
public import BumpWallet

/// The file in which a user names the contracts of public chains that bump may sign for: `contracts.json`.
///
/// Unlike a vault's answers, unknown fields are refused: they are typing errors of the user.
public enum ContractsFile {
  /// The file's objects and lists are six deep.
  private static let limits = JSONParser.Limits(count: 64 * 1024, depth: 6)

  /// Reads the contracts.
  ///
  /// - Throws: `RequestError` if the file is not valid, or names a contract twice.
  public static func contracts(_ document: some Collection<UInt8>) throws(RequestError) -> [KnownContract] {
    var fields = try JSONFields(JSONParser.parse(document, within: limits))
    let contracts = try fields.required("contracts") { value in try value.array().map { try contract($0) } }
    try fields.end()
    for (number, contract) in contracts.enumerated()
    where contracts[..<number].contains(where: { $0.isMeant(by: contract.vault) }) {
      throw RequestError(.field, "the contract \(contract.vault.address) is named twice", field: "contracts")
    }
    return contracts
  }

  private static func contract(_ value: JSONValue) throws -> KnownContract {
    var fields = try JSONFields(value)
    let chainID = try fields.required("chainId") { value in
      guard let id = UInt64(exactly: try value.integer()) else { throw Fields.Mismatch("it is negative") }
      return id
    }
    let (address, codeHash) = (
      try fields.required("address", Fields.address), try fields.required("codeHash", Fields.bytes32)
    )
    let receiptKey = try fields.optional("receiptKey", Fields.address)
    let tokens = try fields.required("tokens") { value in try value.array().map { try token($0) } }
    try fields.end()
    return try KnownContract(
      chainID: chainID, address: address, codeHash: codeHash, receiptKey: receiptKey, tokens: tokens)
  }

  private static func token(_ value: JSONValue) throws -> TokenContract {
    var fields = try JSONFields(value)
    let symbol = try fields.required("symbol") { try Token(try $0.string()) }
    let address = try fields.required("address", Fields.address)
    let codeHash = try fields.required("codeHash", Fields.bytes32)
    var domain = try JSONFields(try fields.required("domain") { $0 })
    try fields.end()
    let (name, version) = (
      try domain.required("name") { try $0.string() }, try domain.required("version") { try $0.string() }
    )
    try domain.end()
    return TokenContract(
      token: symbol, address: address, domainName: name, domainVersion: version, codeHash: codeHash)
  }
}
