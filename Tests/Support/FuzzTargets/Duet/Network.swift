import BumpKit

/// A sender's and a receiver's session with the fuzzer as the network between them: it drops, doubles, reorders, alters,
/// cuts, joins, reflects and invents what passes, and both ends still agree as far as ends can.
func fuzzDuet(_ input: UnsafeBufferPointer<UInt8>) {
  var program = Program(input)
  var duet = Duet(&program)
  while !program.isOver {
    let choice = program.byte()
    let end: Duet.End = choice & 0x80 == 0 ? .sender : .receiver
    switch choice % 12 {
    case 0...2: duet.deliver(to: end)
    case 3, 4: duet.answer(end, yes: true, .stored)
    case 5: duet.answer(end, yes: program.bool(), program.pick(StoredStatus.allCases))
    case 6: duet.pass(.milliseconds(250) * Int(program.byte()))
    case 7: duet.close(end)
    case 8: duet.change(end) { $0.insert(program.string(), at: 0) }
    case 9:
      let (place, mask) = (Int(program.byte()), program.byte())
      duet.change(end) { if !$0.isEmpty, !$0[0].isEmpty { $0[0][place % $0[0].count] ^= mask } }
    case 10: duet.change(end) { distort(&$0, &program) }
    default: duet.reflect(end)
    }
  }
  duet.finish()
}
