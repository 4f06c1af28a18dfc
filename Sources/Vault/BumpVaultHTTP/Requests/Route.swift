import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet

/// The meaning of a path.
enum Route: Hashable, Sendable {
  case claims
  case claim(ClaimName)
  case events(ClaimName)
  case deposit(ClaimID)
  case payout(ClaimName)
  case refund(ClaimName)
  case account(Address)
  case history(Address)
  case vault
  case challenge
  case faucet
  case health
  case readiness
  case openAPI
  case signIn(SignInRoute)
  case claimPage
  case sentPage
  case walletPage
  case manifest
  case asset(hash: String, name: String)
  case icon
  case association

  /// Reads a path, without its query.
  ///
  /// - Throws: `Problem.Kind.notFound`, or `badField` for an id or address that is not valid.
  init(path: some StringProtocol) throws(Problem) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
    if let route = try SignInRoute(parts) {
      self = .signIn(route)
      return
    }
    switch parts {
    case ["api", "claims"]: self = .claims
    case ["api", "vault"]: self = .vault
    case ["api", "challenge"]: self = .challenge
    case ["api", "faucet"]: self = .faucet
    case ["healthz"]: self = .health
    case ["readyz"]: self = .readiness
    case ["openapi.json"]: self = .openAPI
    case ["favicon.ico"]: self = .icon
    case [".well-known", "apple-app-site-association"]: self = .association
    // The page itself says to a person what is wrong with an id.
    case _ where parts.count == 2 && parts[0] == "claim" && !parts[1].isEmpty: self = .claimPage
    case _ where parts.count == 2 && parts[0] == "sent" && !parts[1].isEmpty: self = .sentPage
    case ["wallet"]: self = .walletPage
    case ["page", "manifest.json"]: self = .manifest
    case _ where parts.count == 3 && parts[0] == "page": self = .asset(hash: parts[1], name: parts[2])
    case _ where parts.count == 3 && parts.starts(with: ["api", "claims"]): self = .claim(try Self.name(parts[2]))
    case _ where parts.count == 3 && parts.starts(with: ["api", "accounts"]):
      self = .account(try Self.address(parts[2]))
    case _ where parts.count == 4 && parts.starts(with: ["api", "accounts"]) && parts[3] == "history":
      self = .history(try Self.address(parts[2]))
    case _ where parts.count == 4 && parts.starts(with: ["api", "claims"]):
      switch parts[3] {
      case "events": self = .events(try Self.name(parts[2]))
      case "deposit": self = .deposit(try Self.claim(parts[2]))
      case "claim": self = .payout(try Self.name(parts[2]))
      case "refund": self = .refund(try Self.name(parts[2]))
      default: throw Self.notFound
      }
    default: throw Self.notFound
    }
  }

  static let notFound = Problem(
    .notFound, "the vault has nothing at this path", remedy: "Read /openapi.json, which has all paths")

  /// No text is both: a ledger id is longer than a claim id may be.
  private static func name(_ text: String) throws(Problem) -> ClaimName {
    if let ledgerID = try? Bytes32(text) { .ledgerID(ledgerID) } else { .claimID(try claim(text)) }
  }

  private static func claim(_ text: String) throws(Problem) -> ClaimID {
    guard let id = try? ClaimID(text) else {
      throw Problem(.badField, "the path has no valid claim id in it", field: "claimId")
    }
    return id
  }

  private static func address(_ text: String) throws(Problem) -> Address {
    guard let address = try? Address(text) else {
      throw Problem(.badField, "the path has no valid address in it", field: "address")
    }
    return address
  }

  /// The one method of this path, besides HEAD and OPTIONS.
  var method: Method {
    switch self {
    case .claims, .deposit, .payout, .refund, .faucet: .post
    case .signIn(let route): route.method
    default: .get
    }
  }

  /// The methods of RFC 9110 §9 that the vault knows.
  enum Method: String, Sendable { case get = "GET", head = "HEAD", post = "POST", options = "OPTIONS" }

  /// Whether the path has a method. OPTIONS, which every path answers, asks only which ones it has.
  func serves(_ method: String) -> Bool {
    method == self.method.rawValue || (method == Method.head.rawValue && self.method == .get)
  }

  /// Whether each request to this path counts against the limit of its network, whatever becomes of it. The others are
  /// what a payout needs, or are counted once more is known of them.
  var isLimited: Bool {
    switch self {
    case .events, .account, .history, .challenge, .faucet, .openAPI, .signIn: true
    default: false
    }
  }

  /// The value of the header `Allow`.
  var allowed: String { method == .post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" }

  /// Whether it is a page, or a file, and no part of the API. It is answered without a look at the store.
  var isPage: Bool {
    switch self {
    case .claimPage, .sentPage, .walletPage, .manifest, .asset, .icon, .association: true
    default: false
    }
  }

  /// The path without ids and addresses, for logs.
  var name: String {
    switch self {
    case .claims: "/api/claims"
    case .claim: "/api/claims/{name}"
    case .events: "/api/claims/{name}/events"
    case .deposit: "/api/claims/{claimId}/deposit"
    case .payout: "/api/claims/{name}/claim"
    case .refund: "/api/claims/{name}/refund"
    case .account: "/api/accounts/{address}"
    case .history: "/api/accounts/{address}/history"
    case .vault: "/api/vault"
    case .challenge: "/api/challenge"
    case .faucet: "/api/faucet"
    case .health: "/healthz"
    case .readiness: "/readyz"
    case .openAPI: "/openapi.json"
    case .signIn(let route): route.name
    case .claimPage: "/claim/{id}"
    case .sentPage: "/sent/{ledgerId}"
    case .walletPage: "/wallet"
    case .manifest: "/page/manifest.json"
    case .asset: "/page/{hash}/{name}"
    case .icon: "/favicon.ico"
    case .association: "/.well-known/apple-app-site-association"
    }
  }

  /// The names of the parameters that the query may have; `nil` for a page, to whose address others may add what they
  /// like.
  var parameters: Set<String>? {
    switch self {
    case .history: ["before", "limit"]
    case .vault: ["nonce"]
    default: isPage ? nil : []
    }
  }
}
