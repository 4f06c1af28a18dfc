#if Vault
  import BumpChain
  import BumpChainVault
  import BumpClaims
  import BumpNode
  import BumpVaultAPI
  import BumpWallet

  /// The beginning of a configuration, for an operator to look through. What no node says is left empty, and a server
  /// refuses it like that.
  struct ChainSkeleton {
    private let url: NodeURL
    private let chainID: UInt64
    private let contract: DeployedContract
    private let token: (address: Address, codeHash: Bytes32, domain: Domain?)?
    private let feeCap: UInt64

    /// Asks the node for the token's code and domain.
    ///
    /// - Throws: `Failure`.
    init(
      _ url: NodeURL, chainID: UInt64, _ contract: DeployedContract, _ token: Address?, feeCap: UInt64,
      _ nodes: NodePool
    ) async throws {
      (self.url, self.chainID, self.contract, self.feeCap) = (url, chainID, contract, feeCap)
      guard let token else {
        self.token = nil
        return
      }
      do {
        guard let codeHash = try await nodes.codeHash(of: token) else {
          throw Failure("there is no token contract at \(token)")
        }
        let domain = try await nodes.domain(of: token, amongNames: ["USD Coin", "USDC"], versions: ["2", "1"])
        self.token = (token, codeHash, domain)
      } catch let error as ChainError {
        throw Failure("\(error)")
      } catch let error as NodeError {
        throw Failure("the token's contract \(token) cannot be asked: \(error)")
      }
    }

    /// The file. On a chain for tests one block confirms. The sponsoring follows from the most that a gas may cost: a
    /// deposit takes some 200,000, and a fifth more is reserved.
    var text: String {
      let quoted = { (text: String) in JSONValue.string(text).text }
      let coins = { (wei: UInt128) in quoted(CoinAmount.text(wei)) }
      let cap = UInt128(feeCap)
      let dataFee = KnownChain.of(chainID) == nil ? 0 : KnownChain.dataFee
      let operation = 400_000 * cap + dataFee
      return """
        {
          "chainId": \(chainID),
          "nodes": [\(quoted(url.text))],
          "contract": {
            "address": \(quoted(contract.address.description)),
            "codeHash": \(quoted(ClaimVaultContract.codeHash.description)),
            "block": \(contract.block.map(String.init) ?? quoted(""))
          },
          "tokens": [
            {
              "symbol": "USDC",
              "address": \(quoted(token?.address.description ?? "")),
              "codeHash": \(quoted(token?.codeHash.description ?? "")),
              "domain": {"name": \(quoted(token?.domain?.name ?? "")), "version": \(quoted(token?.domain?.version ?? ""))}
            }
          ],
          "confirmations": \(KnownChain.isForTests(chainID) ? 1 : 3),
          "fees": {
            "cap": \(coins(cap)),
            "priorityCap": \(coins((cap + 1) / 2)),
            "leastPriority": \(coins(min((cap + 1) / 2, 1_000_000))),
            "dataFee": \(coins(dataFee))
          },
          "minimumBalance": \(coins(2 * operation)),
          "sponsoring": {
            "kinds": ["deposit", "claim", "refund"],
            "perOperation": \(coins(operation)),
            "perPerson": [{"interval": "day", "count": 20, "amount": \(coins(10 * operation))}],
            "together": [{"interval": "day", "amount": \(coins(50 * operation))}]
          },
          "limits": {
            "amount": "100.00",
            "draftSeconds": 600,
            "expirySeconds": 2592000,
            "authorizationSeconds": 600
          }
        }

        """
    }
  }
#endif
