import BumpVault
import BumpVaultPostgres
import Lab
import Testing
import VaultContract

extension PostgresTests.Vault {
  /// The clock is the database server's, and each vault server measures it by its own machine. (What holds of one vault is
  /// in the contract.)
  @Suite struct ClockTests {
    @Test func `what one operator confirms, each server on the database believes, and one that starts later`()
      async throws
    {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let other = try await database.open(machine: { [clock = scene.clock] in clock.machine })
        try await scene.payOneOfTwo()
        scene.clock.jump(by: 172_800)
        let claim = try scene.claim(1).id
        let second = try await BumpVault.Vault(other)
        for vault in [scene.vault, second] { await expectRefusal(.notExpired) { try await vault.refund(claim) } }
        let late = try await database.open(machine: { [clock = scene.clock] in clock.machine })
        for store in [scene.store, other, late] { #expect(try await store.currentTime().lead == 172_800) }
        try await other.confirmClock()
        let last = try await database.open(machine: { [clock = scene.clock] in clock.machine })
        for store in [scene.store, other, late, last] { #expect(try await store.currentTime().warning == nil) }
        _ = try await scene.vault.refund(claim)
      }
    }

    @Test
    func `servers that were off for a day need no word where one's machine ran, and a word where it was started anew`()
      async throws
    {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        try await scene.store.keepTime()
        scene.clock.advance(by: 86_400)
        let same = try await database.open(machine: { [clock = scene.clock] in clock.machine })
        #expect(try await same.currentTime().warning == nil)
        try await same.keepTime()
        scene.clock.restart(after: 240)
        let soon = try await database.open(machine: { [clock = scene.clock] in clock.machine })
        #expect(try await soon.currentTime().warning == nil)
        try await soon.keepTime()
        let now = scene.clock.now
        scene.clock.restart(after: 86_400)
        let late = try await database.open(machine: { [clock = scene.clock] in clock.machine })
        scene.clock.advance(by: 5)
        #expect(try await late.currentTime() == StoreTime(now: now + 5, clock: now + 86_405))
      }
    }
  }
}
