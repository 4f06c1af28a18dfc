#if Vault
  import BumpClaims
  import BumpVault
  import BumpVaultAPI
  import BumpWallet
  import Foundation
  import Lab
  import Samples
  import Synchronization
  import Testing
  import VaultContract

  /// A seeded history of a vault that is served over HTTP: several clients at once, who send, claim, refund, repeat
  /// themselves, lie and come too late, while servers, databases and disks fail.
  ///
  /// At the end the books are in order, every claim ended in one state, every receipt that anybody was given is still true,
  /// and everybody has what they were given, less what they sent.
  final class ServedHistory: Sendable {
    struct Sent: Sendable {
      let claim: MadeClaim
      let sender: Person
      let word: SenderAuthorization
    }

    struct Mint: Sendable {
      let person: Person
      let units: Int64
      let number: UInt64
    }

    private struct State {
      var sent: [Sent] = []
      var mints: [Mint] = []
      var receipts: [Bytes32: Set<SignedReceipt>] = [:]
      /// The claims whose deposit was answered.
      var locked: Set<ClaimID> = []
      var steps = 0
      var number: UInt64 = 1_000_000
      var isAttacked = false
      var attacks = 0
      /// How often there was which answer; 0 is none.
      var answers: [Int: Int] = [:]
    }

    private let scene: Scene
    private let people: [Person]
    private let state = Mutex(State())
    /// The servers of the vault. Each attack that ends one puts another in its place.
    let servers: ObservedValue<[ServedVault]>

    /// - Parameters:
    ///   - scene: on the store, before it is served.
    ///   - serve: starts the servers.
    init(_ scene: Scene, seed: UInt64, serve: () async throws -> [ServedVault]) async throws {
      self.scene = scene
      people = try (0..<12).map { try Person($0) }
      let (sent, mints) = try await Self.begin(scene, people)
      state.withLock { ($0.sent, $0.mints) = (sent, mints) }
      scene.clock.set(Self.now)
      try await scene.store.confirmClock()
      servers = ObservedValue(try await serve())
      for server in servers.value { #expect(server.vault == scene.identity.vault) }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Has people send claims two hours ago, which expired an hour ago: so some can be refunded at once.
    private static func begin(_ scene: Scene, _ people: [Person]) async throws -> ([Sent], [Mint]) {
      scene.clock.set((now - 7200) / 60 * 60)
      var (sent, mints): ([Sent], [Mint]) = ([], [])
      for (index, person) in people.enumerated() {
        let mint = Mint(person: person, units: 30_000_000, number: UInt64(index))
        try await scene.mint(mint.units, to: person, id: mint.number)
        mints.append(mint)
        for number in 0..<5 as Range<UInt64> {
          let claim = try scene.claim(100 + UInt64(index) * 10 + number, 1_000_000)
          let word = try scene.authorization(of: claim, from: person)
          _ = try await scene.vault.draft(claim.id, claim.terms)
          _ = try await scene.vault.deposit(claim.id, word)
          sent.append(Sent(claim: claim, sender: person, word: word))
        }
      }
      return (sent, mints)
    }

    /// Has clients do so many steps in all.
    ///
    /// - Parameters:
    ///   - every: after how many steps there is an attack.
    ///   - attack: receives the number of the attack. It returns once the vault can be reached again.
    func run(
      steps: Int, seed: UInt64, every: Int, clients: Int = 6, attack: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<clients {
          group.addTask { [self] in
            var random = SplitMix64(seed: seed &* 1000 &+ UInt64(client))
            while true {
              let (step, attacked) = state.withLock { state in
                state.steps += 1
                let isDue = state.steps.isMultiple(of: every) && !state.isAttacked && state.steps < steps
                if isDue { (state.isAttacked, state.attacks) = (true, state.attacks + 1) }
                return (state.steps, isDue ? state.attacks : nil)
              }
              guard step <= steps else { return }
              if let attacked {
                try await attack(attacked)
                state.withLock { $0.isAttacked = false }
              }
              try await act(&random)
            }
          }
        }
        try await group.waitForAll()
      }
    }

    private func person(_ random: inout SplitMix64) -> Person { people[Int.random(in: people.indices, using: &random)] }

    private func number() -> UInt64 {
      state.withLock { state in
        state.number += 1
        return state.number
      }
    }

    private func act(_ random: inout SplitMix64) async throws {
      let (step, isAny) = HistoryStep.next(&random)
      let number = number()
      scene.clock.set(Self.now)
      switch step {
      case .wait: break
      case .mint:
        let units = Int64.random(in: 1...20_000_000, using: &random)
        _ = try await mint(units, for: person(&random), number)
      case .make:
        var claim = try scene.claim(number, .random(in: 1...6_000_000, using: &random))
        let expiry = (Self.now / 60 + .random(in: 1...90, using: &random)) * 60
        claim.terms = ClaimTerms(
          secretHash: claim.terms.secretHash, token: claim.terms.token, amount: claim.terms.amount,
          expiry: Expiry(clamping: expiry))
        let sender = person(&random)
        let sent = Sent(claim: claim, sender: sender, word: try scene.authorization(of: claim, from: sender))
        state.withLock { $0.sent.append(sent) }
        try await draft(sent)
        if Bool.random(using: &random) { try await deposit(sent) }
      case .deposit, .take, .refund, .race, .steal, .draft:
        let sent = state.withLock { state in
          state.sent[
            .random(in: isAny ? 0..<state.sent.count : max(0, state.sent.count - 80)..<state.sent.count, using: &random)
          ]
        }
        try await act(step, on: sent, &random)
      }
    }

    private func act(_ step: HistoryStep, on sent: Sent, _ random: inout SplitMix64) async throws {
      switch step {
      case .deposit: try await deposit(sent)
      case .take: try await take(sent, for: person(&random))
      case .refund: try await refund(sent)
      case .race:
        let receivers = [person(&random), person(&random), person(&random)]
        try await withThrowingTaskGroup(of: Void.self) { group in
          for receiver in receivers { group.addTask { try await self.take(sent, for: receiver) } }
          group.addTask { try await self.refund(sent) }
          try await group.waitForAll()
        }
      case .steal:
        // The right receiver's proof with another receiver.
        let proof = try scene.proof(of: sent.claim, for: sent.sender)
        _ = try await pay(sent, PayoutRequest(receiver: person(&random).address, .proof(proof)))
      case .draft, .mint, .wait, .make: try await draft(sent)
      }
    }

    // MARK: Requests

    /// The refusals that belong to it.
    private static let known: Set<String> = Set(
      [
        Problem.Kind.unknownClaim, .idTaken, .badExpiry, .authorizationExpired, .insufficientFunds, .tooManyPending,
        .notDeposited, .wrongSecret, .alreadyClaimed, .expired, .notExpired, .busy, .unavailable,
      ].map(\.type))

    /// Asks one of the servers, once. Where there is no answer, another server must have taken its place.
    ///
    /// - Returns: `nil` where there was no answer.
    private func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> Reply? {
      let all = servers.value
      let place = Int.random(in: all.indices)
      do {
        let reply = try await all[place].ask(method, path, body)
        state.withLock { $0.answers[reply.isWhole ? reply.status : 0, default: 0] += 1 }
        if reply.isWhole {
          #expect(
            reply.status < 300 || Self.known.contains(reply.member("type") ?? ""), "\(method) \(path): \(reply)")
          return reply
        }
      } catch let error as TimedOut {
        throw error
      } catch {}
      let gone = all[place].process.processID
      _ = try await withTimeout(.hang, "another server after one that gave no answer") { [servers] in
        try await servers.wait { $0[place].process.processID == gone ? nil : true }
      }
      return nil
    }

    /// Makes test money for somebody.
    func mint(_ units: Int64) async throws -> Reply? { try await mint(units, for: people[0], number()) }

    private func mint(_ units: Int64, for person: Person, _ number: UInt64) async throws -> Reply? {
      let mint = Mint(person: person, units: units, number: number)
      state.withLock { $0.mints.append(mint) }
      return try await self.mint(mint)
    }

    private func mint(_ mint: Mint) async throws -> Reply? {
      let request = FaucetRequest(
        address: mint.person.address, amount: try scene.amount(mint.units), id: .word(mint.number))
      return try await ask("POST", "/api/faucet", request.json)
    }

    private func draft(_ sent: Sent) async throws {
      let (claim, terms) = (sent.claim, sent.claim.terms)
      let request = DraftRequest(
        .init(claimID: claim.id, secretHash: terms.secretHash), token: terms.token, amount: terms.amount,
        expiry: terms.expiry)
      _ = try await ask("POST", "/api/claims", request.json)
    }

    private func deposit(_ sent: Sent) async throws {
      let request = DepositRequest(
        sender: sent.word.sender, authorization: sent.word.bytes, validBefore: sent.word.validBefore)
      let reply = try await ask("POST", "/api/claims/\(sent.claim.id)/deposit", request.json)
      if reply?.status == 200 { state.withLock { _ = $0.locked.insert(sent.claim.id) } }
    }

    private func take(_ sent: Sent, for receiver: Person) async throws {
      let proof = try scene.proof(of: sent.claim, for: receiver)
      _ = try await pay(sent, PayoutRequest(receiver: receiver.address, .proof(proof)))
    }

    private func pay(_ sent: Sent, _ request: PayoutRequest) async throws -> Reply? {
      try keep(try await ask("POST", "/api/claims/\(sent.claim.id)/claim", request.json), of: sent)
    }

    @discardableResult private func refund(_ sent: Sent) async throws -> Reply? {
      try keep(try await ask("POST", "/api/claims/\(sent.claim.id)/refund"), of: sent)
    }

    /// Keeps the receipt in an answer, also one that says why somebody else is paid no more.
    private func keep(_ reply: Reply?, of sent: Sent) throws -> Reply? {
      guard let reply else { return nil }
      let (bytes, domain) = (Array(reply.body.utf8), scene.identity.vault.domain)
      let receipt =
        reply.status == 200
        ? try SignedReceipt(bytes, in: domain) : try ProblemResponse(bytes, in: domain).receipt
      guard let receipt else { return reply }
      #expect(receipt.isSigned(by: scene.identity.address))
      #expect(receipt.receipt.ledgerID == sent.claim.terms.ledgerID)
      state.withLock { _ = $0.receipts[receipt.receipt.ledgerID, default: []].insert(receipt) }
      return reply
    }

    // MARK: The end

    /// Ends every claim that is still pending, and compares what everybody was told with what there is.
    func end() async throws {
      let (sent, mints, locked) = state.withLock { ($0.sent, $0.mints, $0.locked) }
      var owed: [Address: Int64] = [:]
      for mint in mints {
        // What had no answer is asked for again: it is made once.
        #expect(try await self.mint(mint)?.status == 200)
        owed[mint.person.address, default: 0] += mint.units
      }
      for sent in sent {
        let view = try #require(try await ask("GET", "/api/claims/\(sent.claim.id)"))
        guard view.status == 200, let status = view.member("status"), status != "none" else {
          #expect(!locked.contains(sent.claim.id), "a deposit that was answered is gone")
          continue
        }
        let units = sent.claim.terms.amount.baseUnits
        owed[sent.sender.address, default: 0] -= units
        let receipt = try await onlyReceipt(of: sent)
        #expect(receipt.amount.baseUnits == units)
        owed[receipt.outcome == .claimed ? receipt.receiver : sent.sender.address, default: 0] += units
      }
      for person in people {
        let request = AccountRequest(
          account: person.address, validBefore: Self.now + 200, domain: scene.identity.vault.domain)
        let server = try #require(servers.value.first)
        let reply = try await server.ask(
          "GET", "/api/accounts/\(person.address)", nil,
          "Authorization: \(request.authorization(by: person.key))\r\n")
        let balances = try BalancesResponse(Array(reply.body.utf8)).balances
        #expect(balances[try scene.token]?.baseUnits ?? 0 == owed[person.address] ?? 0)
      }
    }

    /// The one receipt of a claim, which the vault still says in the same words to who is in it.
    private func onlyReceipt(of sent: Sent) async throws -> Receipt {
      let id = sent.claim.terms.ledgerID
      if state.withLock({ $0.receipts[id] }) == nil {
        // It is pending, or whoever ended it was not told.
        try await take(sent, for: people[0])
        try await refund(sent)
      }
      let receipt = try #require(state.withLock { $0.receipts[id]?.first }).receipt
      let last: Reply?
      if receipt.outcome == .claimed {
        let receiver = try #require(people.first { $0.address == receipt.receiver })
        let request = PayoutRequest(
          receiver: receiver.address, .proof(try scene.proof(of: sent.claim, for: receiver)))
        last = try await pay(sent, request)
      } else {
        last = try await refund(sent)
      }
      #expect(last?.status == 200, "a receipt that is no longer true")
      let receipts = state.withLock { $0.receipts[id, default: []] }
      #expect(receipts.count == 1, "a claim that ended twice: \(receipts)")
      return receipt
    }

    /// What happened, for a person.
    var summary: String {
      state.withLock { state in
        let final = state.receipts.count
        let answers = state.answers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        return
          "\(state.steps) steps, \(state.attacks) attacks, \(state.sent.count) claims, \(final) ended; answers \(answers)"
      }
    }

    var receipts: Int { state.withLock { $0.receipts.count } }
  }
#endif
