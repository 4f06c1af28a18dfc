#if Vault
  import BumpChain
  import BumpClaims
  import BumpNode
  import BumpVault
  import BumpWallet
  import Testing

  @testable import BumpChainVault
  @testable import BumpVaultServer

  /// The configuration of a vault on a chain: what it says, and each mistake in it.
  @Suite struct ChainFileTests {
    private static func hex(_ byte: String, _ count: Int) -> String { String(repeating: byte, count: count) }

    private static let token = """
      {"symbol": "USDC", "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
       "codeHash": "0x\(hex("12", 32))", "domain": {"name": "USD Coin", "version": "2"}}
      """
    private static let policy = """
      {"kinds": ["deposit", "claim"], "perOperation": "0.003 ether",
       "perPerson": [{"interval": "hour", "count": 5}],
       "together": [{"interval": "day", "amount": "0.05 ether"}, {"interval": "month", "count": 1000}],
       "allowed": ["0x036CbD53842c5426634e7929541eC2318f3dCF7e"], "blocked": [],
       "start": "2026-01-31T12:00Z", "end": "2026-02-28T12:00:30Z"}
      """
    private static let members: [(name: String, value: String)] = [
      ("chainId", "8453"),
      ("nodes", #"["https://node.example/v3/key?a=b", "http://127.0.0.1:8545"]"#),
      ("contract", #"{"address": "0x\#(hex("2b", 20))", "codeHash": "0x\#(hex("34", 32))", "block": 77}"#),
      ("tokens", "[\(token)]"),
      ("confirmations", "5"),
      ("headers", "700"),
      (
        "fees",
        #"{"cap": "2 gwei", "priorityCap": "0.5 gwei", "leastPriority": "1000 wei", "dataFee": "0.00001 ether"}"#
      ),
      ("minimumBalance", "\"0.01 ether\""),
      ("sponsoring", policy),
      (
        "limits",
        """
        {"amount": "5.00", "draftSeconds": 70, "expirySeconds": 7200,
         "authorizationSeconds": 300}
        """
      ),
    ]

    /// A file with another value for a member; `nil` to leave it out.
    private static func file(_ name: String = "", _ value: String? = nil) -> [UInt8] {
      let members = members.compactMap { member in
        member.name == name ? value.map { (name, $0) } : (member.name, member.value)
      }
      return Array("{\(members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", "))}".utf8)
    }

    /// A configuration without a mistake, for a chain.
    static func sample(chainID: UInt64) -> String { String(decoding: file("chainId", "\(chainID)"), as: UTF8.self) }

    private static func mistake(_ file: [UInt8]) -> String? {
      do {
        _ = try ChainFile(file)
        return nil
      } catch {
        return "\(error)"
      }
    }

    @Test func `a configuration says all that a vault on a chain needs`() throws {
      let file = try ChainFile(Self.file())
      let chain = file.configuration
      #expect(chain.chainID == 8453 && chain.startBlock == 77 && chain.confirmations == 5)
      #expect(chain.mostHeaders == 700)
      #expect(chain.contract == (try Address("0x\(Self.hex("2b", 20))")))
      #expect(chain.codeHash.bytes == Array(repeating: 0x34, count: 32))
      #expect(chain.tokens.map(\.contract.domainName) == ["USD Coin"])
      #expect(chain.tokens.map(\.codeHash.bytes) == [Array(repeating: 0x12, count: 32)])
      #expect(chain.fees == FeePolicy(cap: 2_000_000_000, priorityCap: 500_000_000, leastPriority: 1000))
      #expect(chain.dataFee == 10_000_000_000_000 && chain.balanceFloor == 10_000_000_000_000_000)
      #expect(
        chain.sponsoring
          == SponsoringPolicy(
            [.deposit, .claim], perOperation: 3_000_000_000_000_000,
            perPerson: [.init(.hour, count: 5)],
            together: [.init(.day, amount: 50_000_000_000_000_000), .init(.month, count: 1000)],
            allowed: [try Address("0x036CbD53842c5426634e7929541eC2318f3dCF7e")],
            start: 1_769_860_800, end: 1_772_280_030))
      #expect(chain.limits.cap.description == "5.00" && chain.limits.draftLifetime == 70)
      #expect(chain.limits.longestLife == 7200 && chain.authorizationSeconds == 300)
    }

    @Test func `a node is shown by its host, since its path may contain a key`() throws {
      let nodes = try ChainFile(Self.file()).nodes
      #expect(nodes.map(\.shown) == ["node.example", "127.0.0.1:8545"])
      #expect(nodes.map(\.text) == ["https://node.example/v3/key?a=b", "http://127.0.0.1:8545"])
    }

    @Test func `what no node says of a new contract is left empty, and the server names it`() async throws {
      let url = try #require(NodeURL("http://127.0.0.1:8545"))
      let contract = DeployedContract(address: try Address("0x\(Self.hex("2b", 20))"), block: nil)
      let nodes = NodePool([], chainID: 31337, clock: { 0 })
      let skeleton = try await ChainSkeleton(url, chainID: 31337, contract, nil, feeCap: 1_000_000_000, nodes)
      let mistake = Self.mistake(Array(skeleton.text.utf8))
      #expect(mistake == "contract.block is not a whole number from 0")
    }

    @Test func `without limits, confirmations and headers the usual ones hold`() throws {
      let chain = try ChainFile(Self.file("limits")).configuration
      #expect(chain.limits.cap.description == "100.00" && chain.authorizationSeconds == 600)
      #expect(try ChainFile(Self.file("confirmations")).configuration.confirmations == 3)
      #expect(try ChainFile(Self.file("headers")).configuration.mostHeaders == 4096)
    }

    @Test(arguments: ["chainId", "nodes", "contract", "tokens", "fees", "minimumBalance", "sponsoring"])
    func `a member that must be there is named`(name: String) {
      #expect(Self.mistake(Self.file(name)) == "\(name) is missing")
    }

    @Test(arguments: [
      ("chainId", "0", "chainId is not a whole number from 1"),
      ("chainId", "\"8453\"", "chainId is not a whole number from 1"),
      ("nodes", "[]", "nodes is empty"),
      ("nodes", #"["http://node.example"]"#, "nodes[0] is not a node's URL: \(NodeURL.rule)"),
      ("nodes", #"["https://me:secret@node.example"]"#, "nodes[0] is not a node's URL: \(NodeURL.rule)"),
      ("nodes", #"["http://localhost.thief.example"]"#, "nodes[0] is not a node's URL: \(NodeURL.rule)"),
      ("nodes", #"["https://a.example", "https://a.example"]"#, "nodes has a URL twice"),
      ("contract", "{}", "contract.address is missing"),
      ("contract", #"{"address": "0x2b1e"}"#, "contract.address is not an address: an address is 0x and 40 hex digits"),
      ("tokens", "[]", "tokens is empty"),
      (
        "tokens", "[\(token), \(token)]",
        "tokens is not valid: the vault or one of its tokens has the address zero, or two of them have the same"
      ),
      ("tokens", "[{\"symbol\": \"usdc\"}]", "tokens[0].symbol is not 1 to 12 of A-Z and 0-9, such as USDC"),
      ("confirmations", "0", "confirmations is not a whole number from 1 to 100"),
      ("confirmations", "101", "confirmations is not a whole number from 1 to 100"),
      ("headers", "127", "headers is not a whole number from 128 to 100000"),
      ("fees", #"{"cap": 2000000000}"#, "fees.cap is not a string"),
      (
        "fees", #"{"cap": "2000000000"}"#,
        #"fees.cap is not an amount such as "0.01 ether", "2 gwei" or "5000 wei""#
      ),
      ("fees", #"{"cap": "0 gwei"}"#, "fees.cap is not a price of one unit of gas such as \"0.5 gwei\""),
      (
        "fees", #"{"cap": "1 gwei", "priorityCap": "2 gwei", "leastPriority": "1 wei", "dataFee": "0 wei"}"#,
        "fees.priorityCap is more than the cap"
      ),
      (
        "fees", #"{"cap": "3 gwei", "priorityCap": "1 gwei", "leastPriority": "2 gwei", "dataFee": "0 wei"}"#,
        "fees.leastPriority is more than the priorityCap"
      ),
      (
        "sponsoring", #"{"kinds": ["mint"], "together": []}"#,
        #"sponsoring.kinds[0] is none of "deposit", "claim", "refund""#
      ),
      (
        "sponsoring", #"{"kinds": ["claim", "claim"], "together": [{"interval": "day", "amount": "1 gwei"}]}"#,
        "sponsoring.kinds has a kind twice"
      ),
      (
        "sponsoring", #"{"kinds": ["claim"], "together": [{"interval": "day"}]}"#,
        "sponsoring.together[0] has neither amount nor count"
      ),
      (
        "sponsoring", #"{"kinds": ["claim"], "together": [{"interval": "year", "count": 1}]}"#,
        #"sponsoring.together[0].interval is none of "hour", "day", "week", "month", "ever""#
      ),
      (
        "sponsoring",
        #"{"kinds": [], "together": [], "start": "2026-03-01T00:00Z", "end": "2026-03-01T00:00Z"}"#,
        "sponsoring.end is not after the start"
      ),
      (
        "sponsoring", #"{"kinds": [], "together": [], "start": "soon"}"#,
        #"sponsoring.start is not a time in UTC such as "2026-01-31T12:00Z""#
      ),
      ("limits", #"{"amount": 5}"#, #"limits.amount is not an amount of a token such as "100.00""#),
      ("limits", #"{"cap": "5.00"}"#, "limits.cap is not known here"),
      ("limits", #"{"pending": 20}"#, "limits.pending is not known here"),
      ("limits", #"{"authorizationSeconds": 601}"#, "limits.authorizationSeconds is not a whole number from 60 to 600"),
    ])
    func `a mistake is named by its place`(name: String, value: String, mistake: String) {
      #expect(Self.mistake(Self.file(name, value)) == mistake)
    }

    /// Strangers make as many addresses as they like, so limits of each person add up to none.
    @Test func `sponsoring without a limit for all together is refused`() {
      let policy = """
        {"kinds": ["refund"], "perPerson": [{"interval": "day", "amount": "1 gwei"}],
         "together": [{"interval": "day", "count": 9}]}
        """
      #expect(Self.mistake(Self.file("sponsoring", policy)) == "sponsoring.together has no limit with an amount")
    }

    @Test func `a member with a spelling mistake is refused, since its limit would not hold`() {
      let file = String(decoding: Self.file(), as: UTF8.self)
      let other = file.replacing("\"minimumBalance\"", with: "\"minimumBallance\": 0, \"minimumBalance\"")
      #expect(Self.mistake(Array(other.utf8)) == "minimumBallance is not known here")
      let inner = file.replacing("\"perOperation\"", with: "\"perOperaton\"")
      #expect(Self.mistake(Array(inner.utf8)) == "sponsoring.perOperaton is not known here")
    }

    @Test func `a file that is no JSON, or has a name twice, is refused with the place`() {
      #expect(Self.mistake(Array("{".utf8)) == "the file is not JSON: no name, at byte 1")
      #expect(Self.mistake(Array("[]".utf8)) == "the file is not an object")
      #expect(Self.mistake(Array(#"{"nodes": 1, "nodes": 2}"#.utf8)) == "the field \"nodes\" occurs twice")
    }

    @Test func `a chain that may be public must be named, and no other one`() throws {
      #expect(throws: Never.self) { try ChainOptions.check(named: nil, 31337) }
      #expect(throws: Never.self) { try ChainOptions.check(named: 8453, 8453) }
      for (named, chain) in [(nil, 8453), (nil, 1), (84532, 8453), (31337, 8453), (8453, 31337)] as [(UInt64?, UInt64)]
      {
        #expect(throws: Failure.self, "\(chain) named \(named ?? 0)") { try ChainOptions.check(named: named, chain) }
      }
    }
  }
#endif
