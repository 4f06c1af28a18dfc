import BumpClaims
import BumpWire
import Samples
import Testing

@testable import BumpSession

/// Claim after claim.
extension ReceiverBumpTests {
  private func concluded(_ scene: ReceiverBumpScene) -> [ReceiveOutcome] {
    scene.actions.compactMap { if case .event(.concluded(let outcome)) = $0 { outcome } else { nil } }
  }

  /// Takes a claim of a sender that was met.
  private func take(_ id: ConnectionID, in scene: inout ReceiverBumpScene) throws {
    try scene.go(id, to: .storing)
    try scene.handle(.session(id, .stored(.stored)))
  }

  @Test func `one claim after the other is received, and nothing ends`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    for name in ["alice", "bert", "carol"] { try take(try scene.meet(name), in: &scene) }
    #expect(concluded(scene).count == 3)
    for outcome in concluded(scene) {
      guard case .received(let verified) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(verified.claim == (try Fixture.claim()))
    }
    #expect(scene.outcome == nil)
    #expect(scene.bump.deadline == nil, "there is nothing to wait for but the next sender")
  }

  @Test func `offers that come at once are decided one after the other`() throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code, asks: true, keeps: true)
    let (alice, bert) = (try scene.meet("alice", credential: code), try scene.meet("bert", credential: code))
    for id in [alice, bert] { try scene.go(id, to: .offered) }
    #expect(scene.asking == [alice])
    try scene.handle(.session(alice, .decided(true)))
    try scene.go(alice, from: .accepted, to: .storing)
    try scene.handle(.session(alice, .stored(.stored)))
    #expect(scene.asking == [alice, bert])
    try scene.handle(.session(bert, .decided(false)))
    #expect(concluded(scene).last == .declinedHere)
    #expect(scene.outcome == nil)
  }

  @Test func `what comes to nothing is said, and ends nothing`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    try scene.say(alice, .decline)
    let mallory = try scene.meet("mallory")
    try scene.go(mallory, to: .offered)
    try scene.say(mallory, .claim(mac: [UInt8](repeating: 0, count: 32), payload: try Fixture.claim().payload))
    #expect(concluded(scene) == [.declinedThere, .unauthenticated])
    scene.now = .seconds(100_000)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil)
    try take(try scene.meet("bert"), in: &scene)
    #expect(concluded(scene).count == 3)
  }

  @Test func `a sender that has delivered or was declined is not tried again, as long as it is listed`() throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.bump.deadline == nil)
    let before = scene.actions.count
    try scene.find("alice")
    #expect(scene.actions.count == before)
    try scene.lose("alice")
    try scene.find("alice")
    #expect(scene.actions.count > before, "once it was gone it is new")
  }

  @Test func `a sender that was gone before its session broke off is not looked for`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    try scene.lose("alice")
    try scene.handle(.session(alice, .closed))
    let before = scene.actions.count
    try scene.pass(.seconds(1))
    #expect(scene.actions.count == before && scene.bump.deadline == nil)
  }

  @Test func `an entry that answers nothing is tried about once a minute in the end`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    try scene.find("gone")
    try scene.pass(.seconds(600))
    let early = scene.actions.count
    try scene.pass(.seconds(600))
    let tries = scene.actions[early...].count { if case .connector(.resolve) = $0 { true } else { false } }
    #expect((8...10).contains(tries))
  }

  @Test func `Ctrl-C and the loss of discovery end it`() throws {
    var interrupted = try ReceiverBumpScene(keeps: true)
    try take(try interrupted.meet("alice"), in: &interrupted)
    try interrupted.handle(.interrupted)
    #expect(interrupted.outcome == .interrupted)

    var lost = try ReceiverBumpScene(keeps: true)
    let alice = try lost.meet("alice")
    try lost.handle(.session(alice, .closed))
    try lost.handle(.discoveryLost)
    #expect(lost.outcome == .nobody(.discoveryUnavailable, []))
  }

  @Test(arguments: [StoreError.Code.busy, .notAsWritten])
  func `a claim that cannot be stored while the store may take the next one is told, and ends nothing`(
    code: StoreError.Code
  ) throws {
    var scene = try ReceiverBumpScene(keeps: true)
    let error = StoreError(code, "")
    let (alice, bert) = (try scene.meet("alice"), try scene.meet("bert"))
    try scene.go(alice, to: .storing)
    try scene.handle(.session(alice, .notStored(error)))
    #expect(scene.outcome == nil && !scene.actions.contains(.fail(error)))
    #expect(scene.actions.contains(.event(.stored(.notStored))))
    #expect(scene.actions.contains(.event(.concluded(.notStored(error)))))
    try scene.go(bert, to: .storing)
    try scene.handle(.session(bert, .of(.stored)))
    #expect(scene.actions.contains(.event(.stored(.stored))))
  }

  @Test(arguments: [StoreError.Code.busy, .notAsWritten])
  func `a bump for one claim ends with the error of the store, whether or not the next could be stored`(
    code: StoreError.Code
  ) throws {
    var scene = try ReceiverBumpScene()
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .storing)
    try scene.handle(.session(alice, .notStored(StoreError(code, ""))))
    #expect(scene.actions.contains(.fail(StoreError(code, ""))))
  }

  @Test func `a claim that cannot be stored ends it`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .storing)
    try scene.handle(.session(alice, .of(.notStored)))
    #expect(scene.outcome == nil && scene.actions.contains(.fail(Fixture.storeError)))
  }
}
