import Foundation
import Lab
import Synchronization
import Testing

@testable import MultipeerConnectivity

/// Streams, as Foundation's clients use them: with a delegate on a run loop.
@Suite(.processes(2)) struct StreamTests {
  private let stage = PlayerGroup()

  /// Both ends of a stream.
  private func streams() async throws -> (alice: Player, bob: Player, OutputStream, InputStream) {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let output = try alice.session.startStream(withName: "s", toPeer: bob.id)
    return (alice, bob, output, try await bob.stream())
  }

  private func write(_ text: String, to stream: OutputStream) -> Int {
    let bytes = Array(text.utf8)
    return stream.write(bytes, maxLength: bytes.count)
  }

  private func read(_ stream: InputStream, _ most: Int = 1000) -> String? {
    var buffer = [UInt8](repeating: 0, count: most)
    let count = stream.read(&buffer, maxLength: most)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  @Test func `what is written is read, and then comes the end`() async throws {
    let (alice, bob, output, input) = try await streams()
    #expect(bob.told.contains("alice streams s"))
    #expect(write("early", to: output) == -1 && read(input) == nil)
    output.open()
    input.open()
    #expect(output.hasSpaceAvailable && write("hello", to: output) == 5)
    #expect(read(input, 3) == "hel" && input.hasBytesAvailable && read(input) == "lo")
    output.close()
    #expect(read(input)?.isEmpty == true && input.streamStatus == .atEnd)
    #expect(output.streamStatus == .closed && write("late", to: output) == -1)
    withExtendedLifetime((alice, bob)) {}
  }

  @Test func `a megabyte passes a window of 256 KiB, and a writer waits for its reader`() async throws {
    let (alice, bob, output, input) = try await streams()
    output.open()
    input.open()
    let writer = UncheckedSendable(output)
    let writing = Thread {
      var left = 1_000_000
      while left > 0 {
        let count = writer.value.write([UInt8](repeating: 7, count: min(left, 100_000)), maxLength: min(left, 100_000))
        guard count > 0 else { break }
        left -= count
      }
      writer.value.close()
    }
    writing.start()
    var total = 0
    var buffer = [UInt8](repeating: 0, count: 10_000)
    while true {
      let count = input.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { break }
      total += count
    }
    #expect(total == 1_000_000)
    withExtendedLifetime((alice, bob)) {}
  }

  @Test func `a reader that closes ends the writer`() async throws {
    let (alice, bob, output, input) = try await streams()
    output.open()
    input.open()
    #expect(write("hello", to: output) == 5)
    #expect(read(input) == "hello")
    input.close()
    let bytes = [UInt8](repeating: 0, count: 400_000)
    // It takes what fits until it has heard of it.
    while output.write(bytes, maxLength: bytes.count) > 0 {}
    #expect(output.streamStatus == .atEnd)
    withExtendedLifetime((alice, bob)) {}
  }

  @Test func `a session that ends ends its streams with an error`() async throws {
    let (alice, bob, output, input) = try await streams()
    output.open()
    input.open()
    alice.session.disconnect()
    try await bob.saw("alice notConnected")
    #expect(
      read(input) == nil && input.streamStatus == .error && (input.streamError as? MCError)?.code == .notConnected)
    #expect(write("late", to: output) == -1 && output.streamStatus == .error)
  }

  @Test func `what came before a session ended is read before the error`() async throws {
    let (alice, bob, output, input) = try await streams()
    output.open()
    input.open()
    #expect(write("hello", to: output) == 5)
    alice.session.disconnect()
    try await bob.saw("alice notConnected")
    #expect(input.streamStatus == .open && input.streamError == nil && input.hasBytesAvailable)
    #expect(read(input) == "hello")
    #expect(
      read(input) == nil && input.streamStatus == .error && (input.streamError as? MCError)?.code == .notConnected)
  }

  @Test func `a stream that is opened after its end says so`() async throws {
    let (alice, bob, output, _) = try await streams()
    let loop = RunLoopThread()
    let delegate = Events(thread: loop.thread)
    let writing = UncheckedSendable(output)
    bob.session.disconnect()
    try await alice.saw("bob notConnected")
    #expect(output.streamStatus == .notOpen)
    await loop.perform { runLoop in
      writing.value.delegate = delegate
      writing.value.schedule(in: runLoop, forMode: .default)
      writing.value.open()
    }
    await loop.run(in: .default) { delegate.seen.contains(.errorOccurred) }
    #expect(delegate.seen == [.openCompleted, .errorOccurred])
    #expect(output.streamStatus == .error && write("late", to: output) == -1)
    loop.end()
  }

  @Test func `a stream has a name of 1 to 63 bytes and goes to a peer that is connected`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    #expect(throws: MCError(.notConnected, "Peers (carol) not connected")) {
      try alice.session.startStream(withName: "s", toPeer: MCPeerID(displayName: "carol"))
    }
    for name in ["", String(repeating: "x", count: 64)] {
      do {
        try alice.session.startStream(withName: name, toPeer: bob.id)
        Issue.record("a stream named \(name)")
      } catch MCError.invalidParameter {}
    }
    // Names need not be unique.
    _ = (
      try alice.session.startStream(withName: "x", toPeer: bob.id),
      try alice.session.startStream(withName: "x", toPeer: bob.id)
    )
    try await bob.saw("alice streams x", times: 2)
  }

  @Test func `events come on the run loop's thread while it waits in a scheduled mode, none after close`() async throws
  {
    let (alice, bob, output, input) = try await streams()
    let loop = RunLoopThread()
    let delegate = Events(thread: loop.thread)
    let (reading, mode) = (UncheckedSendable(input), RunLoop.Mode("scheduled"))
    await loop.perform { runLoop in
      reading.value.delegate = delegate
      reading.value.schedule(in: runLoop, forMode: mode)
      reading.value.open()
    }
    output.open()
    #expect(write("hello", to: output) == 5)
    // The loop runs in the default mode only: nothing may come.
    await loop.turn(in: .default)
    #expect(delegate.seen.isEmpty)
    await loop.run(in: mode) { delegate.seen.contains(.hasBytesAvailable) }
    #expect(delegate.seen == [.openCompleted, .hasBytesAvailable] && delegate.onOthers == 0)
    #expect(read(input) == "hello")

    await loop.perform { _ in reading.value.close() }
    let count = delegate.seen.count
    _ = write("late", to: output)
    output.close()
    try alice.send("end", to: bob)
    try await bob.saw("alice says end")
    await loop.turn(in: mode)
    #expect(delegate.seen.count == count)
    loop.end()
  }

  @Test func `a run loop that waits is woken by an event, and by nothing else`() async throws {
    let (alice, bob, output, input) = try await streams()
    let loop = RunLoopThread()
    let delegate = Events(thread: loop.thread)
    let (reading, writing) = (UncheckedSendable(input), UncheckedSendable(output))
    await loop.perform { runLoop in
      reading.value.delegate = delegate
      reading.value.schedule(in: runLoop, forMode: .default)
      reading.value.open()
    }
    output.open()
    await loop.run(in: .default) { delegate.seen == [.openCompleted] }
    for time in 1...20 {
      // The loop runs when this writes: a timer of the test has just called from within it.
      let runs = await loop.runOnce(in: .default) { _ = writing.value.write([UInt8(time)], maxLength: 1) }
      #expect(runs == .init(returned: true, ticks: 0))
      #expect(delegate.seen.count { $0 == .hasBytesAvailable } == time && delegate.onOthers == 0)
      #expect(read(input)?.utf8.count == 1)
    }
    loop.end()
    withExtendedLifetime((alice, bob)) {}
  }

  @Test func `a stream that is removed from its mode delivers in those that are left, or nothing`() async throws {
    let (alice, bob, output, input) = try await streams()
    let loop = RunLoopThread()
    let delegate = Events(thread: loop.thread)
    let reading = UncheckedSendable(input)
    let (first, second) = (RunLoop.Mode("first"), RunLoop.Mode("second"))
    await loop.perform { runLoop in
      reading.value.delegate = delegate
      reading.value.schedule(in: runLoop, forMode: first)
      reading.value.schedule(in: runLoop, forMode: second)
      reading.value.open()
      reading.value.remove(from: runLoop, forMode: first)
    }
    await loop.turn(in: first)
    #expect(delegate.seen.isEmpty)
    await loop.run(in: second) { delegate.seen == [.openCompleted] }
    await loop.perform { runLoop in reading.value.remove(from: runLoop, forMode: second) }
    output.open()
    _ = write("hello", to: output)
    #expect(read(input) == "hello")
    await loop.turn(in: second)
    #expect(delegate.seen == [.openCompleted])
    // Scheduled again, it says what it has to say.
    output.close()
    await loop.perform { runLoop in reading.value.schedule(in: runLoop, forMode: first) }
    await loop.run(in: first) { delegate.seen.last == .endEncountered }
    loop.end()
    withExtendedLifetime((alice, bob)) {}
  }

  @Test func `a stream that its delegate takes off the run loop at an event delivers no other`() async throws {
    let (alice, bob, output, input) = try await streams()
    output.open()
    #expect(write("hello", to: output) == 5)
    try alice.send("end", to: bob)
    try await bob.saw("alice says end")
    let loop = RunLoopThread()
    let reading = UncheckedSendable(input)
    let delegate = Leaving(.openCompleted)
    await loop.perform { runLoop in
      reading.value.delegate = delegate
      reading.value.schedule(in: runLoop, forMode: .default)
      reading.value.open()
    }
    await loop.run(in: .default) { !delegate.seen.isEmpty }
    await loop.turn(in: .default)
    #expect(delegate.seen == [.openCompleted])
    // What it has not told is told where it is scheduled again.
    await loop.perform { runLoop in reading.value.schedule(in: runLoop, forMode: .default) }
    await loop.run(in: .default) { delegate.seen == [.openCompleted, .hasBytesAvailable] }
    loop.end()
    withExtendedLifetime((alice, bob)) {}
  }

  @Test func `a writer is told when there is room again`() async throws {
    let (alice, bob, output, input) = try await streams()
    let loop = RunLoopThread()
    let delegate = Events(thread: loop.thread)
    let writing = UncheckedSendable(output)
    await loop.perform { runLoop in
      writing.value.delegate = delegate
      writing.value.schedule(in: runLoop, forMode: .default)
      writing.value.open()
    }
    await loop.run(in: .default) { delegate.seen == [.openCompleted, .hasSpaceAvailable] }
    let bytes = [UInt8](repeating: 1, count: 256 * 1024)
    #expect(output.write(bytes, maxLength: bytes.count) == bytes.count && !output.hasSpaceAvailable)
    input.open()
    #expect(read(input, 1000)?.utf8.count == 1000)
    await loop.run(in: .default) { delegate.seen.count { $0 == .hasSpaceAvailable } == 2 }
    loop.end()
    withExtendedLifetime((alice, bob)) {}
  }
}

/// A delegate that takes its stream off the run loop at an event.
private final class Leaving: NSObject, StreamDelegate, Sendable {
  private let last: Stream.Event
  private let events = Mutex([Stream.Event]())

  init(_ last: Stream.Event) { self.last = last }

  var seen: [Stream.Event] { events.withLock(\.self) }

  func stream(_ stream: Stream, handle event: Stream.Event) {
    events.withLock { $0.append(event) }
    if event == last { stream.remove(from: .current, forMode: .default) }
  }
}

/// What a stream's delegate is told, and on which thread.
private final class Events: NSObject, StreamDelegate, Sendable {
  private let thread: UncheckedSendable<Thread>
  private let events = Mutex((seen: [Stream.Event](), onOthers: 0))

  init(thread: Thread) { self.thread = UncheckedSendable(thread) }

  var seen: [Stream.Event] { events.withLock { $0.seen } }
  var onOthers: Int { events.withLock { $0.onOthers } }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    events.withLock { events in
      events.seen.append(eventCode)
      if Thread.current !== thread.value { events.onOthers += 1 }
    }
  }
}

/// A thread with a run loop, which does what it is given.
private final class RunLoopThread: @unchecked Sendable {
  private let jobs = AsyncStream<Void>.makeStream()
  private let condition = NSCondition()
  private var waiting: [() -> Void] = []
  private var isOver = false
  private(set) var thread = Thread()

  init() {
    thread = Thread { [self] in
      while let job = next() { job() }
    }
    thread.start()
  }

  private func next() -> (() -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isOver { condition.wait() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  func end() {
    condition.withLock {
      isOver = true
      condition.signal()
    }
  }

  func perform(_ job: @escaping @Sendable (RunLoop) -> Void) async {
    await withCheckedContinuation { continuation in
      condition.withLock {
        waiting.append {
          job(RunLoop.current)
          continuation.resume()
        }
        condition.signal()
      }
    }
  }

  /// Runs the loop in a mode until something holds. Each run waits for a source; the limit only stops what hangs.
  func run(in mode: RunLoop.Mode, _ holds: @escaping @Sendable () -> Bool) async {
    let end = ContinuousClock.now + .hang
    await perform { loop in
      // A loop without a source returns at once.
      let timer = Timer(fire: .distantFuture, interval: 3600, repeats: true) { _ in }
      loop.add(timer, forMode: mode)
      while !holds(), ContinuousClock.now < end {
        let left = ContinuousClock.now.duration(to: end) / .seconds(1)
        _ = loop.run(mode: mode, before: Date(timeIntervalSinceNow: left))
      }
      timer.invalidate()
    }
  }

  /// Runs the loop in a mode until all that is due there has been done: events are timers that are due at once, and one
  /// that is added behind them comes behind them.
  func turn(in mode: RunLoop.Mode) async {
    await perform { loop in
      let isDone = Mutex(false)
      loop.add(Timer(timeInterval: 0, repeats: false) { _ in isDone.withLock { $0 = true } }, forMode: mode)
      while !isDone.withLock(\.self) { _ = loop.run(mode: mode, before: Date(timeIntervalSinceNow: 0.01)) }
    }
  }

  /// What one run of the loop was.
  struct Run: Equatable, Sendable {
    /// Whether it returned before its time was up.
    var returned: Bool
    /// How often the test's own timer was due.
    var ticks: Int
  }

  /// Runs the loop once, until its first source; does something, on another thread, once it runs.
  func runOnce(in mode: RunLoop.Mode, _ body: @escaping @Sendable () -> Void) async -> Run {
    let run = Mutex(Run(returned: false, ticks: 0))
    await perform { loop in
      let far = Timer(fire: .distantFuture, interval: 3600, repeats: true) { _ in run.withLock { $0.ticks += 1 } }
      loop.add(far, forMode: mode)
      loop.add(Timer(timeInterval: 0, repeats: false) { _ in Thread.detachNewThread(body) }, forMode: mode)
      let end = Date(timeIntervalSinceNow: Duration.hang / .seconds(1))
      let returned = loop.run(mode: mode, before: end) && Date() < end
      run.withLock { $0.returned = returned }
      far.invalidate()
    }
    return run.withLock(\.self)
  }
}
