import BumpClaims
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

/// Whole bumps of a sender with a document, which ends with outcomes of its own and needs no store.
@Suite struct DocumentBumpTests {
  private let bob: DisplayName

  init() throws { bob = try DisplayName(Fixture.bob) }

  @Test(arguments: [(StoredStatus.stored, false), (.duplicate, true)])
  func `a document is delivered once its receiver has saved it, and the bump ends`(
    status: StoredStatus, wasThere: Bool
  ) throws {
    var scene = try SenderBumpScene(SampleDocument.link())
    try scene.open(1, to: .accepted)
    #expect(scene.outcome == nil && scene.isListening)
    try scene.say(1, .stored(status))
    #expect(scene.outcome == .delivered(to: bob, wasThere: wasThere) && !scene.isListening)
  }

  @Test func `a document that is not acknowledged may be there`() throws {
    var scene = try SenderBumpScene(SampleDocument.link())
    try scene.open(1, to: .accepted)
    scene.now = .seconds(5)
    try scene.handle(.deadline)
    #expect(scene.outcome == .unknown(bob))
  }

  @Test(arguments: [SenderScene.Step.offered, .accepted])
  func `an interrupt tells whether the document may be there`(step: SenderScene.Step) throws {
    var scene = try SenderBumpScene(SampleDocument.link())
    try scene.open(1, to: step)
    try scene.handle(.interrupted)
    #expect(scene.outcome == .interrupted(mayBeThere: step == .accepted))
  }

  @Test func `a document that no receiver takes has no link, and does not expire`() throws {
    var scene = try SenderBumpScene(SampleDocument.link())
    #expect(scene.bump.deadline == .seconds(10))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.outcome == .undelivered(.discoveryTimeout, []) && scene.bump.deadline == nil)
  }
}
