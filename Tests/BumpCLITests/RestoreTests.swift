import BumpKit
import Lab
import Testing

/// A store that was lost, and is made from its backup.
@Suite(.timeLimit(.minutes(30))) struct RestoreTests {
  private let alice: Person

  init() throws { alice = try Person() }

  @Test func `one command restores a store, and says of which claims somebody is to be asked`() async throws {
    let new = try await alice.claim(.new).description
    let delivered = try await alice.claim(.delivered).description
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('VACUUM INTO ?', [sys.argv[2]])"
    let copy = "\(alice.store.dropLast("bump.sqlite".count))copy"
    let lost = try await alice.shell(
      "umask 077; python3 -c \"\(script)\" \"$BUMP_STORE\" '\(copy)' && rm \"$BUMP_STORE\"*")
    try #require(lost.status == 0, "\(lost)")
    let restored = try await alice.run("restore", copy)
    #expect(restored.status == 0, "\(restored)")
    #expect(restored.lines == ["Restored 2 claims of yours and 0 received claims."])
    #expect(
      restored.standardError.contains(
        "1 claim of yours may have been sent since. Ask who has them, then: bump settle CLAIMID"), "\(restored)")
    let states = try await alice.history().map { [$0.string("claimId"), $0.string("state")] }
    #expect(Set(states) == [[new, "unknown"], [delivered, "delivered"]])
    let again = try await alice.run("restore", copy)
    #expect(again.status == 1 && again.lines.isEmpty, "a store that is there is never overwritten: \(again)")
  }
}
