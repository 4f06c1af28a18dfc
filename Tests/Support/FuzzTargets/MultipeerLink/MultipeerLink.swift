/// Both ends of a link with the fuzzer as the network between them: it drops, doubles, reorders, alters, cuts, joins, reflects
/// and invents what passes. Whoever is connected was answered and judged, and what an encrypted link brings was sent.
func fuzzMultipeerLink(_ input: UnsafeBufferPointer<UInt8>) {
  var program = Program(input)
  var pair = Pair(&program)
  while !program.isOver {
    let choice = program.byte()
    let end = choice & 0x80 == 0 ? 0 : 1
    switch choice % 12 {
    case 0...2: pair.deliver(to: end)
    case 3: pair.answer(yes: true)
    case 4: pair.judge(end, yes: true)
    case 5: if program.bool() { pair.judge(end, yes: program.bool()) } else { pair.answer(yes: program.bool()) }
    case 6: pair.pass(.milliseconds(100) * Int(program.byte()))
    case 7: pair.say(end, program.string())
    case 8: pair.change(end) { $0.insert(program.string(), at: 0) }
    case 9:
      let (place, mask) = (Int(program.byte()), program.byte())
      pair.change(end) { if !$0.isEmpty, !$0[0].isEmpty { $0[0][place % $0[0].count] ^= mask } }
    case 10: pair.change(end) { distort(&$0, &program) }
    default: if program.bool() { pair.reflect(end) } else { pair.close(end) }
    }
  }
  pair.finish()
}
