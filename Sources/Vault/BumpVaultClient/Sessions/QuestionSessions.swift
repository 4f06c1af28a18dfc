public import BumpVaultAPI
public import BumpWallet

/// Asks an unknown vault to describe itself and to prove that it does, for a person to confirm.
public struct IntroductionSession: VaultSession {
  private let url: VaultURL
  private let contracts: [KnownContract]
  private var nonce = Bytes32.word(0 as UInt64)
  private var retries = Retries()
  private var reason: VaultReply.Reason = "no answer came"

  /// - Parameters:
  ///   - url: the vault's URL, which is the transport's.
  ///   - contracts: the contracts that the user's configuration names.
  public init(at url: VaultURL, among contracts: [KnownContract] = []) {
    (self.url, self.contracts) = (url, contracts)
  }

  public mutating func handle(_ input: VaultInput, at now: Int64) -> VaultStep<Result<VaultIntroduction, VaultFailure>>
  {
    switch input {
    case .begin(let nonce):
      self.nonce = nonce
      return .ask(.vault(nonce: nonce))
    case .reply(.answer(200, let body, _)):
      guard
        let text = String(validating: body, as: UTF8.self), let introduction = try? VaultIntroduction(text)
      else { return .finish(.failure(.untrusted("it does not describe itself as a vault does"))) }
      do {
        _ = try introduction.trusted(at: url, among: contracts)
      } catch {
        return .finish(
          .failure(
            VaultFailure(.changed, error.reason, remedy: "Do not use it: what is signed for it may be used there")))
      }
      do throws(VaultFailure) {
        try introduction.statement.checkProof(nonce: nonce, at: url)
      } catch {
        return .finish(.failure(error))
      }
      return .finish(.success(introduction))
    case .reply(.answer(500..., _, _)): return failed("it says that it fails")
    case .reply(.lost(let reason)), .reply(.unsent(let reason)): return failed(reason)
    case .timeUp: return .finish(.failure(.unreachable(reason)))
    case .reply, .solved, .recorded: return .finish(.failure(.untrusted("it is not a vault's answer")))
    }
  }

  private mutating func failed(_ reason: VaultReply.Reason) -> VaultStep<Result<VaultIntroduction, VaultFailure>> {
    self.reason = reason
    return retries.next().map { .ask(.vault(nonce: nonce), after: $0) } ?? .finish(.failure(.unreachable(reason)))
  }
}

/// Asks for a claim's state. The answer is the vault's word, compared with the claim's own terms.
public struct StatusSession: VaultSession, ConversingSession {
  var conversation: Conversation
  private let terms: ClaimTerms

  /// Makes a session for the claim with these terms. It first compares the vault's description with the pinned one.
  public init(_ terms: ClaimTerms, at vault: TrustedVault) {
    conversation = Conversation(with: vault)
    self.terms = terms
  }

  public mutating func handle(
    _ input: VaultInput, at now: Int64
  ) -> VaultStep<Result<ClaimResponse, VaultFailure>> { converse(input, at: now) }

  mutating func succeeded(
    _ body: [UInt8], at now: Int64
  ) throws(VaultFailure) -> VaultStep<Result<ClaimResponse, VaultFailure>> {
    guard try conversation.hasChecked(body) else {
      return conversation.ask(.claim(terms.ledgerID))
    }
    return .finish(.success(try conversation.answer(body, about: terms)))
  }

  func failed(_ failure: VaultFailure, at now: Int64) -> Result<ClaimResponse, VaultFailure> { .failure(failure) }
}

/// Asks for the balances of the wallet's own account.
public struct BalancesSession: VaultSession, ConversingSession {
  var conversation: Conversation
  private let wallet: PrivateKey

  /// Makes a session. The wallet's key signs the request, and the signature gives access for five minutes.
  public init(of wallet: PrivateKey, at vault: TrustedVault) {
    conversation = Conversation(with: vault)
    self.wallet = wallet
  }

  public mutating func handle(
    _ input: VaultInput, at now: Int64
  ) -> VaultStep<Result<BalancesResponse, VaultFailure>> { converse(input, at: now) }

  mutating func succeeded(
    _ body: [UInt8], at now: Int64
  ) throws(VaultFailure) -> VaultStep<Result<BalancesResponse, VaultFailure>> {
    guard try conversation.hasChecked(body) else {
      return conversation.ask(.balances(of: wallet.address, wallet.access(to: conversation.vault, at: now)))
    }
    guard let answer = try? BalancesResponse(body), answer.account == wallet.address else {
      throw .untrusted("its balances cannot be read, or are another's")
    }
    return .finish(.success(answer))
  }

  func failed(_ failure: VaultFailure, at now: Int64) -> Result<BalancesResponse, VaultFailure> { .failure(failure) }
}

/// Asks for the movements of the wallet's own account, page by page.
public struct AccountHistorySession: VaultSession, ConversingSession {
  var conversation: Conversation
  private let wallet: PrivateKey
  private let count: Int
  private var entries: [AccountHistoryResponse.Entry] = []
  private var before: Int64?

  /// - Parameter count: the greatest number of entries to ask for.
  public init(of wallet: PrivateKey, count: Int, at vault: TrustedVault) {
    conversation = Conversation(with: vault)
    (self.wallet, self.count) = (wallet, count)
  }

  public mutating func handle(
    _ input: VaultInput, at now: Int64
  ) -> VaultStep<Result<[AccountHistoryResponse.Entry], VaultFailure>> { converse(input, at: now) }

  mutating func succeeded(
    _ body: [UInt8], at now: Int64
  ) throws(VaultFailure) -> VaultStep<Result<[AccountHistoryResponse.Entry], VaultFailure>> {
    guard try conversation.hasChecked(body) else {
      return askForPage(at: now)
    }
    guard let page = try? AccountHistoryResponse(body), page.account == wallet.address else {
      throw .untrusted("its history cannot be read, or is another's")
    }
    entries += page.entries.prefix(count - entries.count)
    guard let next = page.before, entries.count < count else { return .finish(.success(entries)) }
    // Each page must begin before the last one, so that the history has an end.
    guard before.map({ next < $0 }) ?? true, !page.entries.isEmpty else { throw .untrusted("its history has no end") }
    before = next
    return askForPage(at: now)
  }

  private mutating func askForPage(at now: Int64) -> VaultStep<Result<[AccountHistoryResponse.Entry], VaultFailure>> {
    conversation.ask(
      .history(of: wallet.address, before: before, wallet.access(to: conversation.vault, at: now)))
  }

  func failed(
    _ failure: VaultFailure, at now: Int64
  ) -> Result<[AccountHistoryResponse.Entry], VaultFailure> { .failure(failure) }
}

extension PrivateKey {
  /// Returns a signed authorization to read this key's account.
  func access(to vault: PinnedVault, at now: Int64) -> String {
    AccountRequest(account: address, validBefore: now + AccountRequest.lifetime, domain: vault.domain)
      .authorization(by: self)
  }
}
