import BumpClaims
import BumpDiscovery
import BumpWire
import Samples
import Synchronization
import Testing

@testable import BumpSession

/// Several senders that announce one channel: by chance, or to be in the way.
@Suite struct SharedChannelTests {
  private let code: OneTimeCode
  private let other: OneTimeCode
  private var right: Credential { .code(code) }
  private var wrong: Credential { .code(other) }

  init() throws {
    code = try OneTimeCode("27-482915")
    other = try OneTimeCode("27-111111")
  }

  /// A receiver whose code a sender of this name has rejected.
  private func rejected(by name: String = "mallory", person: Bool = false) throws -> ReceiverBumpScene {
    var scene = try ReceiverBumpScene(credential: right, canEnterCode: person)
    try scene.guess(scene.meet(name, credential: wrong))
    return scene
  }

  // MARK: The next sender

  @Test func `a wrong code with one sender goes on to the next of that channel, though that one comes later`() throws {
    var scene = try rejected()
    let told = ReceiveEvent.wrongCode(
      name: scene.instance("mallory").name, peer: "mallory", triesLeft: 2, isSpent: false)
    #expect(scene.events.contains(told), "it is told at once")
    #expect(scene.outcome == nil)
    scene.now = .milliseconds(4999)
    try scene.handle(.deadline)
    let alice = try scene.meet("alice", credential: right)
    try scene.say(bytes: scene.open(alice), to: alice)
    try scene.go(alice, from: .secured, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `where no other sender of that channel is in sight for five seconds, the code is said to be wrong`() throws
  {
    var scene = try rejected()
    try scene.find("carol")
    let record = try Announcement(TXTRecord(["mode": "code", "ch": "28"]))
    try scene.handle(.described(.instance(scene.instance("carol").name), record))
    #expect(scene.bump.deadline == .seconds(5), "nobody waits for one on another channel")
    scene.now = .milliseconds(4999)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil)
    scene.now = .seconds(5)
    try scene.handle(.deadline)
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `where another sender in sight may have the code, the code is said to be wrong when the time is over`()
    throws
  {
    var scene = try rejected()
    try scene.find("alice")
    while let next = scene.bump.deadline, next < .seconds(10) {
      scene.now = next
      try scene.handle(.deadline)
      #expect(scene.outcome == nil)
    }
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `one that was given its address is the only one there is`() throws {
    var scene = try ReceiverBumpScene(credential: right, isDirect: true)
    for action in scene.bump.start(peer: .host("mallory", port: 4000), at: .zero) { scene.actions.append(action) }
    try scene.guess(scene.connect("mallory", credential: wrong))
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `once a sender has proved the code, it is not said to be wrong`() throws {
    var scene = try rejected()
    let alice = try scene.meet("alice", credential: right)
    try scene.say(bytes: scene.open(alice), to: alice)
    try scene.handle(.session(alice, .closed))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.failed.map(\.reason).contains(.failed(.closed)))
  }

  // MARK: The person

  @Test func `a person is asked again at once where nobody else of that channel is in sight`() throws {
    var scene = try rejected(person: true)
    #expect(scene.actions.last == .askCode("mallory"))
    // It is their time, not the search's.
    scene.now = .seconds(100)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil)
    try scene.handle(.code(other))
    let again = try scene.meet("mallory", credential: wrong)
    try scene.say(bytes: scene.open(again), to: again)
    try scene.go(again, from: .secured, to: .storing)
    #expect(scene.storing == [again], "the code that was mistyped is put right")
  }

  @Test func `a person is asked after 300 ms while another in sight is still to be tried`() throws {
    var scene = try ReceiverBumpScene(credential: right, canEnterCode: true)
    let mallory = try scene.meet("mallory", credential: wrong)
    _ = try scene.meet("mute", credential: right)
    try scene.guess(mallory)
    #expect(!scene.isAskedForCode)
    scene.now = try #require(scene.bump.deadline)
    #expect(scene.now == Moment(SenderPicker.gathering))
    try scene.handle(.deadline)
    #expect(scene.isAskedForCode)
  }

  @Test func `the question is cancelled once another sender has the code, and its time is given back`() throws {
    var scene = try rejected(person: true)
    scene.now = .seconds(100)
    let alice = try scene.meet("alice", credential: right)
    #expect(!scene.actions.contains(.withdrawCode))
    try scene.say(bytes: scene.open(alice), to: alice)
    #expect(scene.actions.contains(.withdrawCode))
    #expect(scene.bump.discoveryEnd == .seconds(110))
    try scene.handle(.code(other))
    try scene.go(alice, from: .secured, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `a code that is entered while the one before is judged does not take that one back`() throws {
    var scene = try rejected(person: true)
    let alice = try scene.meet("alice", credential: right)
    let carol = try scene.meet("carol", credential: wrong)
    let late = try scene.open(alice)
    try scene.listen(to: carol)
    try scene.handle(.code(other))
    #expect(!scene.closed.contains(alice) && !scene.closed.contains(carol))
    try scene.say(bytes: AbortReason.authentication.frame.bytes, to: carol)
    #expect(scene.outcome == nil)
    try scene.say(bytes: late, to: alice)
    try scene.go(alice, from: .secured, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `the same code again waits for its sender, and is not shown twice to who has another`() throws {
    var scene = try rejected(person: true)
    scene.now = .seconds(5)
    try scene.handle(.code(code))
    #expect(scene.connecting.count == 1 && scene.outcome == nil)
    #expect(scene.events.last == .codeEntered(.triedBefore))
    let alice = try scene.meet("alice", credential: right)
    try scene.say(bytes: scene.open(alice), to: alice)
    try scene.go(alice, from: .secured, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `who typed one wrong code twice is asked again, and may type the right one then`() throws {
    var scene = try rejected(person: true)
    try scene.handle(.code(code))
    #expect(scene.questions == 1 && scene.bump.deadline == .seconds(2))
    scene.now = .seconds(2)
    try scene.handle(.deadline)
    #expect(scene.questions == 2)
    try scene.handle(.code(other))
    let again = try scene.meet("mallory", credential: wrong)
    try scene.say(bytes: scene.open(again), to: again)
    try scene.go(again, from: .secured, to: .storing)
    #expect(scene.storing == [again])
  }

  @Test func `while the sender of a code is looked for another code may be entered, and the time runs`() throws {
    var scene = try rejected(person: true)
    scene.now = .seconds(100)
    try scene.handle(.code(OneTimeCode("28-482915")))
    #expect(scene.bump.discoveryEnd == .seconds(110))
    scene.now = .seconds(102)
    try scene.handle(.deadline)
    #expect(scene.questions == 2 && scene.bump.discoveryEnd == .seconds(110))
    scene.now = .seconds(110)
    try scene.handle(.deadline)
    #expect(scene.outcome != nil && scene.actions.contains(.withdrawCode))
  }

  @Test func `who has no code in place of the one that is looked for ends it`() throws {
    var scene = try rejected(person: true)
    try scene.handle(.code(code))
    scene.now = .seconds(2)
    try scene.handle(.deadline)
    try scene.handle(.code(nil))
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `who ends the question for another code before any sender answered has entered none`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    try scene.welcome(scene.meet("alice", credential: right))
    try scene.handle(.code(OneTimeCode("28-482915")))
    scene.now = .seconds(2)
    try scene.handle(.deadline)
    #expect(scene.questions == 2)
    try scene.handle(.code(nil))
    #expect(scene.outcome == .codeWanted)
  }

  @Test func `where the code is rejected that another may be entered for, the time stands still again`() throws {
    var scene = try rejected(person: true)
    try scene.handle(.code(code))
    scene.now = .seconds(2)
    try scene.handle(.deadline)
    try scene.guess(scene.meet("mallory2", credential: wrong))
    #expect(scene.questions == 3)
    scene.now = .seconds(100)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil)
  }

  /// A sender with the code on channel 27, and a person who types three times: the same, a slip, another channel.
  @Test func `whatever codes are typed, each is taken, ends it, or is asked about again within two seconds`() throws {
    let typable = try [code, OneTimeCode("27-111111"), OneTimeCode("27-222222"), OneTimeCode("28-482915")]
    for (first, second, third) in typable.flatMap({ first in
      typable.flatMap { second in typable.map { (first, second, $0) } }
    }) {
      var scene = try ReceiverBumpScene(canEnterCode: true)
      try scene.welcome(scene.meet("alice", credential: right))
      for typed in [first, second, third] {
        let (before, end) = (scene.actions.count, scene.now + .seconds(2))
        try scene.handle(.code(typed))
        try scene.answer(as: code, from: before, until: end)
        let isTaken = scene.actions.contains(.event(.connected(peer: "alice")))
        #expect(isTaken == (typed == code), "\(first.exposed) \(second.exposed) \(third.exposed)")
        if isTaken { break }
        let isAsked = scene.actions[before...].contains(.askCode("alice"))
        #expect(isAsked || scene.outcome != nil, "\(first.exposed) \(second.exposed) \(third.exposed)")
      }
    }
  }

  @Test func `a code that was entered before is tried with three senders in all, and with none twice`() throws {
    var scene = try rejected(person: true)
    try scene.handle(.code(other))
    try scene.guess(scene.meet("mallory", credential: right))
    #expect(scene.guesses == 2)
    try scene.handle(.code(code))
    let again = try scene.meet("mallory", credential: wrong)
    #expect(scene.closed.contains(again), "it knows what it can of that code")
    for name in ["mallory2", "mallory3"] { try scene.guess(scene.meet(name, credential: wrong)) }
    #expect(scene.guesses == 4)
    #expect(scene.connecting.count == 5)
    try scene.find("mallory4")
    #expect(scene.connecting.count == 5)
  }

  /// Somebody hides the sender and announces its name on one channel after the other, and the person follows.
  @Test func `the same digits are tried with three senders in all, whatever channels they are entered with`() throws {
    var scene = try ReceiverBumpScene(credential: right, canEnterCode: true)
    var rogues = 0
    for channel in [27, 28, 29, 30, 27] {
      if channel != 27 || rogues > 0 {
        try scene.handle(.code(OneTimeCode("\(channel)-482915")))
        scene.now += .seconds(3)
        try scene.handle(.deadline)
      }
      for _ in 1...3 {
        rogues += 1
        let before = scene.connecting.count
        try scene.reach("mallory\(rogues)")
        guard scene.connecting.count > before else { continue }
        try scene.guess(scene.connect("mallory\(rogues)", credential: .code(OneTimeCode("\(channel)-111111"))))
      }
    }
    #expect(scene.guesses == 3)
  }

  @Test func `a person enters three codes, and then it is over where nobody else is in sight`() throws {
    var scene = try rejected(person: true)
    for typed in ["27-222222", "27-333333"] {
      try scene.handle(.code(OneTimeCode(typed)))
      try scene.guess(scene.meet("mallory", credential: right))
    }
    #expect(scene.triesLeft == [2, 1, 0])
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `where there is one sender alone the same code again ends nothing, and another is asked for`() throws {
    var scene = try ReceiverBumpScene(credential: right, canEnterCode: true, isDirect: true)
    for action in scene.bump.start(peer: .host("mallory", port: 4000), at: .zero) { scene.actions.append(action) }
    try scene.guess(scene.connect("mallory", credential: wrong))
    #expect(scene.spent == [true])
    for typed in [code, code] {
      let before = scene.actions.count
      try scene.handle(.code(typed))
      #expect(scene.actions[before...] == [.event(.codeEntered(.spent)), .askCode("")])
      #expect(scene.outcome == nil)
    }
    try scene.handle(.code(other))
    #expect(scene.events.last == .codeEntered(.new) && scene.connecting.count == 2)
    let mallory = try scene.connect("mallory", credential: wrong)
    try scene.say(bytes: scene.open(mallory), to: mallory)
    try scene.go(mallory, from: .secured, to: .storing)
    #expect(scene.storing == [mallory])
  }

  @Test func `a code that three senders rejected is waited for no more, and another is asked for`() throws {
    var scene = try rejected(person: true)
    for name in ["mallory2", "mallory3"] { try scene.guess(scene.meet(name, credential: wrong)) }
    #expect(scene.spent == [false, false, true] && scene.triesLeft == [2, 2, 2])
    try scene.handle(.code(code))
    #expect(scene.actions.suffix(2) == [.event(.codeEntered(.spent)), .askCode("mallory")])
    scene.now = .seconds(100)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil, "it is our person's time")
    try scene.handle(.code(other))
    let again = try scene.meet("mallory2", credential: wrong)
    try scene.say(bytes: scene.open(again), to: again)
    #expect(scene.bump.discoveryEnd == .seconds(110))
  }

  /// They close the connection where a sender with another code would reject it.
  @Test(arguments: [false, true])
  func `a code that three senders have tried and not rejected is tried no more, and is not called a wrong one`(
    person: Bool
  ) throws {
    var scene = try ReceiverBumpScene(credential: right, canEnterCode: person)
    for name in ["mallory", "mallory2", "mallory3"] {
      let id = try scene.meet(name, credential: wrong)
      try scene.listen(to: id)
      #expect(scene.outcome == nil)
      try scene.handle(.session(id, .closed))
    }
    #expect(scene.guesses == 3)
    let before = scene.connecting.count
    try scene.find("alice")
    for _ in 1...5 where scene.outcome == nil {
      scene.now += .seconds(1)
      try scene.handle(.deadline)
    }
    #expect(scene.connecting.count == before, "nobody else is connected to")
    #expect(scene.outcome == (person ? nil : .codeUnanswered))
    #expect(scene.actions.contains(.askCode("mallory3")) == person)
  }

  /// One closes the connection, and two reject the code.
  @Test(arguments: [false, true])
  func `a code that one of three senders did not answer is not called a wrong one`(keeps: Bool) throws {
    var scene = try ReceiverBumpScene(credential: right, keeps: keeps)
    let silent = try scene.meet("mallory", credential: wrong)
    try scene.listen(to: silent)
    try scene.handle(.session(silent, .closed))
    for name in ["mallory2", "mallory3"] { try scene.guess(scene.meet(name, credential: wrong)) }
    let concluded = scene.events.compactMap { if case .concluded(let outcome) = $0 { outcome } else { nil } }
    #expect(concluded == (keeps ? [.wrongCode, .codeUnanswered] : []))
    #expect(scene.outcome == (keeps ? nil : .codeUnanswered))
  }

  /// One proves the code and closes the connection, and two reject the code.
  @Test func `a sender that proved the code and went away has answered it`() throws {
    var scene = try ReceiverBumpScene(credential: right)
    let alice = try scene.meet("alice", credential: right)
    try scene.go(alice, to: .secured)
    try scene.handle(.session(alice, .closed))
    for name in ["mallory2", "mallory3"] { try scene.guess(scene.meet(name, credential: wrong)) }
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `who has no other code ends it`() throws {
    var scene = try rejected(person: true)
    try scene.handle(.code(nil))
    #expect(scene.outcome == .wrongCode)
  }

  @Test func `an interrupt ends it while a person is asked again`() throws {
    var scene = try rejected(person: true)
    try scene.handle(.interrupted)
    #expect(scene.outcome == .interrupted)
  }
}

extension ReceiverBumpScene {
  /// Does what alice's host and alice's sender do, who has a code, for what was asked of them since then, until a moment or
  /// until our person is asked.
  fileprivate mutating func answer(as code: OneTimeCode, from start: Int, until end: Moment) throws {
    var next = start
    while outcome == nil {
      while next < actions.count {
        defer { next += 1 }
        if case .connector(.resolve(let sender, _)) = actions[next] {
          try handle(.described(sender, Announcement(TXTRecord(["mode": "code", "ch": "27"]))))
          try resolve(sender, to: "alice")
        } else if case .connector(.connect) = actions[next] {
          let id = try connect("alice", credential: .code(code))
          if closed.contains(id) { continue }
          if bump.credential == .code(code) { try say(bytes: open(id), to: id) } else { try guess(id) }
        }
      }
      let isOver = actions[start...].contains {
        if case .askCode = $0 { true } else { $0 == .event(.connected(peer: "alice")) }
      }
      guard !isOver, let deadline = bump.deadline, deadline <= end else { return }
      now = max(now, deadline)
      try handle(.deadline)
    }
  }

  fileprivate var questions: Int { actions.count { if case .askCode = $0 { true } else { false } } }

  fileprivate var isAskedForCode: Bool { actions.contains { if case .askCode = $0 { true } else { false } } }

  /// Of each wrong code, whether it is tried with no other sender.
  fileprivate var spent: [Bool] {
    events.compactMap { if case .wrongCode(_, _, _, let isSpent) = $0 { isSpent } else { nil } }
  }

  fileprivate var triesLeft: [Int] {
    events.compactMap { if case .wrongCode(_, _, let left, _) = $0 { left } else { nil } }
  }
}
