#if Vault
  import BumpChain
  import BumpChainVault
  import BumpClaims
  import BumpNode
  import BumpSystem
  import BumpVault
  import BumpVaultAPI
  import BumpWallet

  /// The configuration of a vault on a chain, as its operator writes it: one JSON object. Members that are not known are
  /// refused, and each mistake is named by its place.
  struct ChainFile: Sendable {
    let configuration: ChainConfiguration
    let nodes: [NodeURL]

    /// The most bytes of a file. Its lists of addresses may be long.
    private static let limit = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: `Failure`, in one line.
    static func read(_ path: String) throws -> ChainFile {
      let content: [UInt8]
      do {
        content = try PlainFile.read(path, limit: limit + 1)
      } catch {
        throw Failure("the configuration \(path) cannot be read: \(error.reason)")
      }
      do {
        return try ChainFile(content)
      } catch let mistake as ConfigurationMistake {
        throw Failure("the configuration \(path) cannot be used: \(mistake)")
      }
    }

    /// - Throws: `ConfigurationMistake`.
    init(_ content: [UInt8]) throws {
      var file = try ConfigurationObject(Self.parse(content), at: "")
      let chainID = UInt64(try file.required("chainId", ConfigurationValue.number(in: 1...Int64.max)))
      nodes = try file.required("nodes", Self.nodes)
      var contract = try file.required("contract") { try ConfigurationObject($0, at: $1) }
      let address = try contract.required("address", ConfigurationValue.address)
      let codeHash = try contract.required("codeHash", ConfigurationValue.hash)
      let block = try contract.required("block", ConfigurationValue.number(in: 0...Int64.max))
      try contract.end()
      let tokens = try file.required("tokens", ConfigurationValue.list(Self.token))
      guard !tokens.isEmpty else { throw ConfigurationMistake("tokens", "is empty") }
      do {
        _ = try VaultDescription(chainID: chainID, address: address, tokens: tokens.map(\.contract))
      } catch {
        throw ConfigurationMistake("tokens", "is not valid: \(error.reason)")
      }
      let (fees, dataFee) = try file.required("fees", Self.fees)
      var configuration = ChainConfiguration(
        chainID: chainID, contract: address, codeHash: codeHash, tokens: tokens, startBlock: UInt64(block), fees: fees,
        sponsoring: try file.required("sponsoring", SponsoringPolicy.init(configured:at:)))
      configuration.dataFee = dataFee
      configuration.balanceFloor = try file.required("minimumBalance", ConfigurationValue.coins)
      // At least 128 headers are kept: a state that is confirmed later could not be taken back.
      if let confirmations = try file.optional("confirmations", ConfigurationValue.number(in: 1...100)) {
        configuration.confirmations = UInt64(confirmations)
      }
      if let headers = try file.optional("headers", ConfigurationValue.number(in: 128...100_000)) {
        configuration.mostHeaders = Int(headers)
      }
      if var limits = try file.optional("limits", { try ConfigurationObject($0, at: $1) }) {
        try Self.limit(&configuration, &limits)
        try limits.end()
      }
      try file.end()
      self.configuration = configuration
    }

    private static func parse(_ content: [UInt8]) throws -> JSONValue {
      do {
        return try JSONParser.parse(content, within: JSONParser.Limits(count: limit, depth: 8))
      } catch {
        // The parser's words are those for a request.
        throw ConfigurationMistake(error.reason.replacing("the body", with: "the file"))
      }
    }

    private static func nodes(_ value: JSONValue, _ place: String) throws -> [NodeURL] {
      let nodes = try ConfigurationValue.list { value, place in
        guard let url = NodeURL(try ConfigurationValue.text(value, place)) else {
          throw ConfigurationMistake(place, "is not a node's URL: \(NodeURL.rule)")
        }
        return url
      }(value, place)
      guard !nodes.isEmpty else { throw ConfigurationMistake(place, "is empty") }
      guard Set(nodes).count == nodes.count else { throw ConfigurationMistake(place, "has a URL twice") }
      return nodes
    }

    private static func token(_ value: JSONValue, _ place: String) throws -> ChainToken {
      var token = try ConfigurationObject(value, at: place)
      guard let symbol = try token.required("symbol", { try? Token(ConfigurationValue.text($0, $1)) }) else {
        throw ConfigurationMistake("\(place).symbol", "is not 1 to 12 of A-Z and 0-9, such as USDC")
      }
      let address = try token.required("address", ConfigurationValue.address)
      let codeHash = try token.required("codeHash", ConfigurationValue.hash)
      var domain = try token.required("domain") { try ConfigurationObject($0, at: $1) }
      let name = try domain.required("name", named)
      let version = try domain.required("version", named)
      try domain.end()
      try token.end()
      let contract = TokenContract(token: symbol, address: address, domainName: name, domainVersion: version)
      return ChainToken(contract, codeHash: codeHash)
    }

    private static func named(_ value: JSONValue, _ place: String) throws -> String {
      let text = try ConfigurationValue.text(value, place)
      guard !text.isEmpty, text.utf8.count <= 64 else { throw ConfigurationMistake(place, "is empty or too long") }
      return text
    }

    private static func fees(_ value: JSONValue, _ place: String) throws -> (FeePolicy, dataFee: UInt128) {
      var fees = try ConfigurationObject(value, at: place)
      let cap = try fees.required("cap", ConfigurationValue.price)
      let priorityCap = try fees.required("priorityCap", ConfigurationValue.price)
      let leastPriority = try fees.required("leastPriority", ConfigurationValue.price)
      let dataFee = try fees.required("dataFee", ConfigurationValue.coins)
      try fees.end()
      // FeePolicy would lower them without a word.
      guard priorityCap <= cap else { throw ConfigurationMistake("\(place).priorityCap", "is more than the cap") }
      guard leastPriority <= priorityCap else {
        throw ConfigurationMistake("\(place).leastPriority", "is more than the priorityCap")
      }
      return (FeePolicy(cap: cap, priorityCap: priorityCap, leastPriority: leastPriority), dataFee)
    }

    /// The limits have the names that `GET /api/vault` has for them. How much a sender may have carried is a matter of
    /// sponsoring.
    private static func limit(
      _ configuration: inout ChainConfiguration, _ limits: inout ConfigurationObject
    ) throws {
      let seconds = ConfigurationValue.number(in: 1...1_000_000_000)
      if let amount = try limits.optional("amount", ConfigurationValue.amount) { configuration.limits.cap = amount }
      if let draft = try limits.optional("draftSeconds", seconds) { configuration.limits.draftLifetime = draft }
      if let expiry = try limits.optional("expirySeconds", seconds) { configuration.limits.longestLife = expiry }
      // Clients sign for no other times.
      if let validity = try limits.optional("authorizationSeconds", ConfigurationValue.number(in: 60...600)) {
        configuration.authorizationSeconds = validity
      }
    }
  }
#endif
