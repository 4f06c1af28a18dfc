import BumpKit
import BumpTesting

/// One session, as either role and in every mode, against a peer that can do everything right and does what the fuzzer
/// chooses, while our own side says what it likes and time passes.
func fuzzSession(_ input: UnsafeBufferPointer<UInt8>) {
  var program = Program(input)
  if program.bool() {
    var scene = SenderScene(&program)
    play(&scene, &program)
  } else {
    var scene = ReceiverScene(&program)
    play(&scene, &program)
  }
}

private func play(_ scene: inout some Scene, _ program: inout Program) {
  var wire = Wire()
  while !program.isOver {
    var words: [UInt8]?
    switch program.byte() % 13 {
    case 0: words = program.string()
    case 1: words = scene.greeting()
    case 2: words = try? scene.peer.pake()
    case 3:
      words = try? scene.peer.noise()
      if words != nil { scene.shookHands() }
    case 4:
      if let message = message(scene.peer, &program), let sealed = try? scene.peer.seal(message) {
        scene.noted(message)
        words = sealed
      }
    case 5: wire.alteration = (Int(program.byte()), program.byte())
    case 6: wire.isHolding.toggle()
    case 7: wire.cut = Int(program.byte())
    case 8: words = wire.last
    case 9: scene.pass(.milliseconds(250) * Int(program.byte()))
    case 12:
      words = try? scene.peer.queued(at: program.byte())
      if words != nil { scene.queued() }
    default: scene.act(&program)
    }
    for bytes in wire.pass(words) { scene.receive(bytes) }
  }
  for bytes in wire.flush() { scene.receive(bytes) }
  scene.finish()
}

/// What the peer says in the channel: right, nearly right, or not at all.
private func message(_ peer: ScriptedPeer, _ program: inout Program) -> Message? {
  switch program.byte() % 12 {
  case 0: .offer(Fixture.offer.json)
  case 1: .offer(program.string())
  case 2: .hold(seconds: program.byte())
  case 3: .accept(Fixture.bob)
  case 4: (try? DisplayName(String(decoding: program.string(), as: UTF8.self))).map(Message.accept)
  case 5: .decline
  case 6: peer.channel?.claimMessage(Fixture.claim)
  case 7: peer.channel.map { made(program.string(), in: $0) }
  case 8: .claim(mac: program.string(), payload: Fixture.claim.payload)
  case 9: .stored(program.pick(StoredStatus.allCases))
  case 11: .queued(place: program.byte())
  default: .remember(program.pick(RememberAnswer.allCases))
  }
}
