import BumpVault
import BumpVaultSQLite
import Samples
import Testing
import VaultContract

/// What a vault's file knows of the time, whatever became of its machine.
@Suite struct ClockTests {
  private let place: TemporaryDirectory
  private let clock = SetClock()

  init() throws { place = try TemporaryDirectory() }

  /// A claim that lasts a minute, and a vault that was closed at once.
  private func locked() async throws -> MadeClaim {
    let scene = try await open()
    let claim = try scene.claim(1, lasting: 60)
    try await scene.mint(1_000_000, to: Person(1))
    try await scene.lock(claim, from: Person(1))
    return claim
  }

  private func open() async throws -> Scene {
    try await Scene(StoreMaker { [place, clock] _, _ in try await place.open(clock: clock) })
  }

  @Test func `a server that was off for a day on a machine that ran needs nobody's word`() async throws {
    let claim = try await locked()
    clock.advance(by: 86_400)
    let scene = try await open()
    #expect(try await scene.store.currentTime().warning == nil)
    _ = try await scene.vault.refund(claim.id)
  }

  @Test func `a machine that was off for four minutes needs nobody's word`() async throws {
    let claim = try await locked()
    clock.restart(after: 240)
    _ = try await open().vault.refund(claim.id)
  }

  @Test func `after a machine was off for a day nothing expires by its clock until the operator confirms it`()
    async throws
  {
    let claim = try await locked()
    let before = clock.now
    clock.restart(after: 86_400)
    var scene = try await open()
    await expectRefusal(.notExpired) { try await scene.vault.refund(claim.id) }
    #expect(try await scene.store.currentTime().lead == 86_400)
    // What was measured since it was started counts.
    clock.advance(by: 30)
    #expect(try await scene.store.currentTime().now == before + 30)
    try await scene.store.keepTime()
    clock.advance(by: 29)
    #expect(try await scene.store.currentTime().now == before + 59)
    scene = try await open()
    try await scene.store.confirmClock()
    _ = try await scene.vault.refund(claim.id)
  }

  @Test(arguments: [VaultProvenance.moved, .copied])
  func `on another machine, which has run for longer, a clock that is ahead is not believed`(
    provenance: VaultProvenance
  ) async throws {
    _ = try await locked()
    let before = clock.now
    clock.restart(after: 0)
    clock.advance(by: 30 * 86_400)
    let store = try await place.open("vault.sqlite", provenance, clock: clock)
    #expect(try await store.currentTime() == StoreTime(now: before, clock: clock.now))
    try await store.keepTime()
    clock.advance(by: 10)
    #expect(try await store.currentTime() == StoreTime(now: before + 10, clock: clock.now))
  }

  @Test func `where no boot has an id, a clock that is ahead is not believed`() {
    let record = ClockRecord(latest: 1000, anchor: ClockAnchor(time: 900, uptime: 50), boot: "")
    let ahead = MachineTime(clock: 2000, uptime: 1_000_000, boot: "")
    #expect(record.time(at: ahead) == StoreTime(now: 1000, clock: 2000))
    #expect(record.time(at: MachineTime(clock: 1300, uptime: 1_000_000, boot: "")).lead == 0)
  }

  @Test func `a machine without a clock of its own begins in the past, and is believed once a time server has set it`()
    async throws
  {
    let claim = try await locked()
    let before = clock.now
    clock.restart(after: 30, clockAhead: -before)
    let scene = try await open()
    #expect(try await scene.store.currentTime() == StoreTime(now: before, clock: before))
    try await scene.store.keepTime()
    clock.advance(by: 20)
    clock.jump(by: before)
    #expect(try await scene.store.currentTime() == StoreTime(now: before + 50, clock: before + 50))
    clock.advance(by: 10)
    _ = try await scene.vault.refund(claim.id)
  }

  @Test func `a vault that is started by a clock that is ahead is not poisoned by it`() async throws {
    let claim = try await locked()
    let before = clock.now
    clock.restart(after: 10, clockAhead: 172_800)
    do {
      let scene = try await open()
      try await scene.store.keepTime()
      await expectRefusal(.notExpired) { try await scene.vault.refund(claim.id) }
    }
    clock.jump(by: -172_800)
    let scene = try await open()
    #expect(try await scene.store.currentTime() == StoreTime(now: before + 10, clock: before + 10))
    try await scene.take(claim, for: Person(2))
  }
}
