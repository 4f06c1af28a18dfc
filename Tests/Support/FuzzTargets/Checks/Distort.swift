/// What a network may do to the pieces that are under way one way: it drops, doubles, reorders, cuts or joins them. A piece is
/// any part of a stream, so these are no faults of BumpFaults, which befall records; and the fuzzer chooses each by itself.
func distort(_ way: inout [[UInt8]], _ program: inout Program) {
  guard let first = way.first else { return }
  switch program.byte() % 5 {
  case 0: way.removeFirst()
  case 1: way.insert(first, at: 0)
  case 2: way.append(way.removeFirst())
  case 3:
    let place = Int(program.byte()) % max(1, first.count)
    way.replaceSubrange(0..<1, with: [Array(first[..<place]), Array(first[place...])])
  default: way = [way.flatMap(\.self)]
  }
}
