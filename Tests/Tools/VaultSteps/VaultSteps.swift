import BumpClaims
import BumpVault
import BumpVaultSQLite
import BumpWallet
import Foundation
import VaultContract

/// A vault that does one thing after the other, for tests that end it or its disk in between:
///   VaultSteps do|read STORE
/// With `do` it prints what the vault answered as a line, and waits for a line before it goes on. With `read` it prints the
/// same lines of all that the store holds, and last whether the books are in order.
@main struct VaultSteps {
  struct NoVault: Error {}

  private let path: String
  private let scene: Scene
  private let alice: Person
  private let bob: Person

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, ["do", "read"].contains(arguments[1]) else {
      print("usage: VaultSteps do|read STORE")
      exit(64)
    }
    let (doesSteps, path) = (arguments[1] == "do", arguments[2])
    let scene = try await Scene(
      StoreMaker { identity, clock in
        try await SQLiteVaultStore.open(at: path, clock: clock) {
          guard doesSteps else { throw NoVault() }
          return identity
        }
      })
    let steps = VaultSteps(path: path, scene: scene, alice: try Person(1), bob: try Person(2))
    try await doesSteps ? steps.act() : steps.read()
  }

  /// Two claims that are paid out, and one that is refunded.
  private func act() async throws {
    answer(vault)
    for number in 1...2 as ClosedRange<UInt64> {
      try await answer(
        line(scene.vault.mint(.word(number), scene.amount(2_000_000), of: scene.token, to: alice.address)))
    }
    let claims = try claims
    for claim in claims { answer("deposit \(hash(try await scene.lock(claim, from: alice).deposit?.transaction))") }
    for claim in claims.dropLast() {
      answer(line(try await scene.take(claim, for: bob)))
      // The next change begins the log anew.
      try await scene.store.keepTime()
    }
    scene.clock.advance(by: 3600)
    answer(line(try await scene.vault.refund(claims[2].id)))
    answer("batch \(hash(try await scene.store.seal(limit: 100)?.hash)), marked \(mark)")
  }

  private func read() async throws {
    say(vault)
    var journal: Set<NumberedEntry> = []
    for person in [alice, bob] {
      try await journal.formUnion(scene.store.history(of: person.address, before: nil, limit: 100))
    }
    var records: [ClaimRecord?] = []
    for claim in try claims { records.append(try await scene.store.rows(of: claim.id).claim) }
    for entry in journal.sorted(by: { $0.number < $1.number }).map(\.entry) {
      let record = records.first { $0?.settlement?.transaction == entry.hash } ?? nil
      say(record.flatMap(scene.vault.rules.receipt).map(line) ?? line(entry))
    }
    if let batch = try await scene.store.batch(1) { say("batch \(batch.hash), marked \(mark)") }
    let report = try await scene.vault.audit()
    say(report.isSound ? "sound" : report.findings.joined(separator: "; "))
  }

  /// The batch that the mark beside the store names, by which a backup in its place is known.
  private var mark: String {
    let words = (try? String(contentsOfFile: path + "-mark", encoding: .utf8))?.split(whereSeparator: \.isWhitespace)
    return words.flatMap { $0.count > 2 ? String($0[2]) : nil } ?? "nothing"
  }

  private var claims: [MadeClaim] {
    get throws { try (1...3).map { try scene.claim($0) } }
  }

  private var vault: String { "vault \(scene.vault.rules.identity.address)" }

  private func hash(_ hash: Bytes32?) -> String { hash?.description ?? "missing" }

  private func line(_ entry: JournalEntry) -> String { "\(entry.kind) \(entry.hash)" }

  private func line(_ receipt: SignedReceipt) -> String {
    let isSigned = receipt.isSigned(by: scene.vault.rules.identity.address)
    let terms = receipt.receipt
    return "\(terms.outcome) \(terms.transaction) \(isSigned ? receipt.signature.description : "unsigned")"
  }

  private func answer(_ line: String) {
    say(line)
    _ = readLine()
  }

  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
