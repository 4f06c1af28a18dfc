import BumpTesting
import Synchronization
import Testing

@testable import BumpMail

/// The order in which a queue sends, and what it does not send any more.
@Suite(.timeLimit(.minutes(1))) struct MailQueueOrderTests {
  /// A sender that puts off some recipients once.
  private final class Sender: MailSender {
    let name = "a test"
    /// The recipients of all tries.
    let tries: AsyncStream<String>
    private let entrance: AsyncStream<String>.Continuation
    private let putOff: Mutex<Set<String>>
    private let all = Mutex<[String]>([])
    private let (gate, opening) = AsyncStream<Void>.makeStream()

    /// - Parameter hangs: whether each try lasts until its task is cancelled.
    init(puttingOff recipients: Set<String> = [], hangs: Bool = false) {
      (tries, entrance) = AsyncStream.makeStream()
      putOff = Mutex(recipients)
      if !hangs { opening.finish() }
    }

    /// The recipients of all tries so far.
    var tried: [String] { all.withLock(\.self) }

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
      let recipient = message.recipient.text
      all.withLock { $0.append(recipient) }
      entrance.yield(recipient)
      for await _ in gate {}
      let isPutOff = putOff.withLock { $0.remove(recipient) != nil }
      if isPutOff { throw MailFailure(.temporary, "later") }
    }
  }

  private func message(to recipient: String) throws -> OutgoingMessage {
    OutgoingMessage(
      from: try #require(EnvelopeAddress("codes@vault.example")), to: try #require(EnvelopeAddress(recipient)),
      subject: "Code", plain: "012345", html: nil, at: 0, id: [1])
  }

  private let late = "late@example.org"
  private let prompt = "prompt@example.org"

  @Test func `a recipient that is put off holds up no other, and is tried again after its delay`() async throws {
    let (sender, clock) = (Sender(puttingOff: [late]), ManualClock())
    let queue = MailQueue(sender, workers: 1, delays: [.seconds(2)], clock: clock)
    let running = Task { await queue.run() }
    var tries = sender.tries.makeAsyncIterator()
    #expect(queue.add(try message(to: late)))
    #expect(await tries.next() == late)
    await clock.hasSleeper(until: .seconds(2))
    // No time has passed.
    #expect(queue.add(try message(to: prompt)))
    #expect(await tries.next() == prompt)
    clock.advance(by: .seconds(2))
    #expect(await tries.next() == late)
    running.cancel()
    await running.value
    #expect(sender.tried == [late, prompt, late])
  }

  @Test func `a message that waits for another try is one of those that may wait`() async throws {
    let (sender, clock) = (Sender(puttingOff: [late]), ManualClock())
    let queue = MailQueue(sender, capacity: 1, workers: 1, delays: [.seconds(2)], clock: clock)
    let running = Task { await queue.run() }
    var tries = sender.tries.makeAsyncIterator()
    #expect(queue.add(try message(to: late)))
    #expect(await tries.next() == late)
    await clock.hasSleeper(until: .seconds(2))
    #expect(!queue.add(try message(to: prompt)))
    clock.advance(by: .seconds(2))
    #expect(await tries.next() == late)
    #expect(queue.add(try message(to: prompt)))
    #expect(await tries.next() == prompt)
    running.cancel()
    await running.value
  }

  @Test func `a message that is of no use any more is not sent, and the operator is told`() async throws {
    let (sender, clock) = (Sender(puttingOff: [late]), ManualClock())
    let (failures, reports) = AsyncStream<MailFailure>.makeStream()
    let queue = MailQueue(sender, workers: 1, delays: [.seconds(2)], clock: clock) { reports.yield($0) }
    let running = Task { await queue.run() }
    let isWanted = Atomic(true)
    var told = failures.makeAsyncIterator()
    #expect(queue.add(try message(to: late)) { isWanted.load(ordering: .relaxed) })
    #expect(await told.next()?.kind == .temporary)
    isWanted.store(false, ordering: .relaxed)
    await clock.hasSleeper(until: .seconds(2))
    clock.advance(by: .seconds(2))
    let last = await told.next()
    #expect(last?.kind == .permanent && last?.description.contains("expired") == true)
    running.cancel()
    await running.value
    #expect(sender.tried == [late])
  }

  @Test func `a queue that is stopped begins no other message`() async throws {
    let sender = Sender(hangs: true)
    let queue = MailQueue(sender, workers: 1)
    for recipient in [prompt, late, late] { #expect(queue.add(try message(to: recipient))) }
    let running = Task { await queue.run() }
    var tries = sender.tries.makeAsyncIterator()
    #expect(await tries.next() == prompt)
    running.cancel()
    await running.value
    #expect(sender.tried == [prompt])
  }
}
