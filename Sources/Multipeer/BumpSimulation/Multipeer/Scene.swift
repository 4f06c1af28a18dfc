import BumpFaults

/// The behaviour of an emulated program: enough of a game, a card exchange or a chat to show the effect of a profile.
struct EmulatedProgram: Sendable {
  enum Invites: Sendable {
    case never
    /// Invites the first peer that is found, and after a failure the next one.
    case one
    /// Invites a peer each time that it is found.
    case each
  }

  struct Sending: Sendable {
    var count: Int
    var every: Duration
    var bytes = 5
    var isReliable = true
  }

  var advertises = false
  var browses = false
  var invites = Invites.never
  /// How long its invitations wait for an answer.
  var timeout: Duration = .seconds(30)
  /// How many invitations it sends in total.
  var tries = 1
  /// How long it waits after a failure before it tries again.
  var pause: Duration = .seconds(5)
  /// How many invitations one session sends.
  var triesPerSession = 1
  /// Whether it answers an invitation with a new session if it has used its current one.
  var renewsSession = true
  var preference = Preference.required
  var certificates = Certificates.accepts
  /// How long it takes to answer an invitation.
  var answersAfter: Duration = .zero
  /// The messages that it sends to each connected peer.
  var sending: Sending?
  /// The size in bytes of a resource that it sends when it is connected.
  var resource: Int?
  /// How long after it was connected for the first time it disconnects.
  var leavesAfter: Duration?
  /// When it restarts browsing.
  var browsesAnewAt: Duration?
  /// When it stops browsing and advertising.
  var stopsDiscoveryAt: Duration?
  var info: [String: String] = [:]
  /// When it advertises with other discovery info, and which.
  var newInfo: (at: Duration, info: [String: String])?

  enum Preference: Sendable { case required, none }
  enum Certificates: Sendable { case accepts, refuses, keepsSilent }

  static let inviter = EmulatedProgram(
    browses: true, invites: .one, sending: Sending(count: 2, every: .seconds(1)))
  static let host = EmulatedProgram(advertises: true, sending: Sending(count: 2, every: .seconds(1)))
}

/// The programs of a run, and the length of the run.
struct EmulatedScene: Sendable {
  var a = EmulatedProgram.inviter
  var b = EmulatedProgram.host
  /// A third peer, which finds B later.
  var c: (program: EmulatedProgram, from: Duration)?
  var length: Duration = .seconds(20)

  /// Returns the scene that shows the effect of a plan's profile.
  static func of(_ plan: FaultPlan) -> EmulatedScene {
    var scene = EmulatedScene()
    switch plan.profile.name {
    case "slow-link":
      (scene.a.tries, scene.a.pause, scene.a.leavesAfter) = (2, .seconds(2), .seconds(3))
      scene.length = .seconds(45)
    case "connecting-stall":
      scene.a.tries = 6
      scene.length = .seconds(120)
    case "mutual-invite":
      for program in [\EmulatedScene.a, \EmulatedScene.b] {
        scene[keyPath: program].advertises = true
        scene[keyPath: program].browses = true
        scene[keyPath: program].invites = .one
      }
      scene.length = .seconds(15)
    case "wedged-session":
      (scene.a.tries, scene.a.triesPerSession, scene.a.leavesAfter) = (4, 3, .seconds(2))
      scene.a.pause = .seconds(2)
      scene.length = .seconds(45)
    case "late-accept":
      scene.a.timeout = .seconds(4)
      scene.length = .seconds(30)
    case "tie-break-deadlock":
      for program in [\EmulatedScene.a, \EmulatedScene.b] {
        scene[keyPath: program].advertises = true
        scene[keyPath: program].browses = true
      }
    case "duplicate-found":
      (scene.a.invites, scene.a.tries) = (.each, 8)
    case "ghost-peer", "self-found":
      (scene.a.timeout, scene.a.tries, scene.a.pause) = (.seconds(5), 2, .seconds(1))
    case "silent-loss":
      scene.a.sending = .init(count: 20, every: .seconds(4))
      (scene.a.tries, scene.a.timeout, scene.a.pause) = (2, .seconds(10), .seconds(1))
      scene.b.sending = nil
      scene.length = .seconds(90)
    case "local-network-denied":
      scene.b.browses = true
    case "lost-for-good":
      scene.a.browsesAnewAt = .seconds(30)
      scene.a.invites = .never
      scene.length = .seconds(35)
    case "stale-info":
      scene.a.invites = .never
      scene.a.browsesAnewAt = .seconds(15)
      scene.b.info = ["round": "1"]
      scene.b.newInfo = (.seconds(5), ["round": "2"])
    case "flapping":
      scene.a.tries = 3
      scene.length = .seconds(30)
    case "half-open":
      scene.a.tries = 2
      scene.b.sending = .init(count: 10, every: .seconds(2))
      // If the second attempt hangs, the cause is that B accepts with its old session.
      scene.b.renewsSession = plan.time(.negotiation) == nil
      scene.length = .seconds(90)
    case "false-drop":
      scene.b.sending = .init(count: 12, every: .seconds(1))
      scene.length = .seconds(15)
    case "early-drop":
      scene.a.sending = .init(count: 12, every: .seconds(2))
      scene.b.sending = scene.a.sending
      (scene.a.tries, scene.a.pause) = (2, .seconds(3))
      scene.length = .seconds(30)
    case "background-drop":
      (scene.a.tries, scene.a.pause, scene.a.timeout) = (4, .seconds(2), .seconds(10))
      scene.length = .seconds(160)
    case "bulk-starvation":
      scene.a.sending = nil
      scene.b.sending = nil
      scene.a.resource = 2 * 1024 * 1024
      var third = EmulatedProgram.inviter
      (third.timeout, third.tries, third.pause, third.sending) = (.seconds(6), 2, .seconds(9), nil)
      scene.c = (third, .seconds(2))
      scene.length = .seconds(30)
    case "no-backpressure":
      scene.a.sending = .init(count: 24, every: .milliseconds(250), bytes: 512, isReliable: false)
      scene.b.sending = .init(count: 6, every: .seconds(1), bytes: 1024)
    case "resource-stall":
      scene.a.sending = nil
      scene.b.sending = .init(count: 3, every: .seconds(5))
      scene.a.resource = 1024 * 1024
      scene.length = .seconds(50)
    case "wifi-contention":
      scene.a.sending = .init(count: 14, every: .seconds(1), bytes: 16 * 1024)
      scene.a.stopsDiscoveryAt = .seconds(8)
      scene.b.stopsDiscoveryAt = .seconds(8)
    default: break
    }
    return scene
  }
}
