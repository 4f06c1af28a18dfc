import BumpMultipeer

/// Any bytes as a frame, as the data of two programs, and as what a member sends: what is read is written so, and no member
/// makes this end keep more than the protocol allows.
func fuzzMultipeerFrames(_ input: UnsafeBufferPointer<UInt8>) {
  var program = Program(input)
  switch program.byte() % 3 {
  case 0:
    let bytes = program.remainder()
    if let frame = try? LinkFrame(bytes) { check(frame.bytes == bytes, "a frame that is written otherwise") }
  case 1:
    let bytes = program.remainder()
    if let data = try? ConnectionData(bytes) { check(data.bytes == bytes, "data that is written otherwise") }
  default:
    var member = Member()
    while !program.isOver, member.isIn { member.send(&program) }
  }
}

/// What one member sends, frame by frame, and what an inbox makes of it.
private struct Member {
  private var inbox = Inbox()
  /// What may still come of each stream and sized resource.
  private var left: [TransferID: UInt64] = [:]
  private var streams: Set<TransferID> = []
  private var unfinished = 0
  private(set) var isIn = true

  mutating func send(_ program: inout Program) {
    let choice = program.byte()
    if choice % 8 == 0 { return read(of: TransferID(program.byte()), Int(program.byte())) }
    if choice % 8 == 1 { return stop(TransferID(program.byte())) }
    guard let frame = try? LinkFrame(program.string()) else { return }
    do {
      let event = try inbox.handle(frame)
      if case .message(let isLast, _, let part) = frame { unfinished = isLast ? 0 : unfinished + part.count }
      if let event { took(event) }
    } catch {
      isIn = false
    }
    check(inbox.open.count <= MultipeerLimits.transfers, "more streams and resources than there may be")
    check(unfinished <= MultipeerLimits.message, "more of a message than there may be")
  }

  private mutating func took(_ event: Inbox.Event) {
    switch event {
    case .stream(let id, let name):
      check((1...MultipeerLimits.name).contains(name.utf8.count), "a stream's name out of bounds")
      left[id] = UInt64(MultipeerLimits.streamWindow)
      streams.insert(id)
    case .resource(let id, let name, let size):
      check((1...MultipeerLimits.name).contains(name.utf8.count), "a resource's name out of bounds")
      left[id] = size
    case .part(let id, let bytes):
      check(inbox.open.contains(id), "a part of what is not open")
      guard let most = left[id] else { return }
      check(UInt64(bytes.count) <= most, "more than was announced, or than there is room for")
      left[id] = most - UInt64(bytes.count)
    case .end(let id):
      check(streams.contains(id) || left[id] ?? 0 == 0, "the end of a resource that is not whole")
      check(!inbox.open.contains(id), "what has ended is still open")
    case .cancelled(let id): check(!inbox.open.contains(id), "what was cancelled is still open")
    case .message(let bytes, _): check(bytes.count <= MultipeerLimits.message, "a message that is too long")
    case .stopped, .credit, .received: break
    }
  }

  private mutating func read(of id: TransferID, _ count: Int) {
    guard streams.contains(id), let rest = left[id] else { return }
    // A program reads no more than has come.
    let read = min(UInt64(count), UInt64(MultipeerLimits.streamWindow) - rest)
    guard inbox.consumed(Int(read), of: id) != nil else { return }
    left[id] = rest + read
  }

  private mutating func stop(_ id: TransferID) {
    let wasOpen = inbox.open.contains(id)
    check((inbox.stop(id) != nil) == wasOpen && !inbox.open.contains(id), "what was stopped is still open")
  }
}
