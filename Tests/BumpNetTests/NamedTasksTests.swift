import Testing

@testable import BumpNet

@Suite(.timeLimit(.minutes(30))) struct NamedTasksTests {
  @Test func `a question follows the one before once that has ended, and not sooner`() async {
    var tasks = NamedTasks<Int>()
    let (log, said) = AsyncStream.makeStream(of: String.self)
    let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
    var words = log.makeAsyncIterator()
    tasks.follow(1) {
      said.yield("asked")
      await withTaskCancellationHandler {
        for await _ in cancellations {}
      } onCancel: {
        cancelled.finish()
      }
      // It still says that it is void, which may take its time.
      for _ in 1...100 { await Task.yield() }
      said.yield("void")
    }
    #expect(await words.next() == "asked")
    tasks.stop(1)
    tasks.follow(1) { said.yield("the next") }
    #expect(await words.next() == "void")
    #expect(await words.next() == "the next")
  }

  @Test func `a question that was withdrawn while it waited for its turn is not asked`() async {
    var tasks = NamedTasks<Int>()
    let (log, said) = AsyncStream.makeStream(of: String.self)
    tasks.follow(1) { while !Task.isCancelled { await Task.yield() } }
    tasks.follow(1) { said.yield("withdrawn") }
    tasks.follow(1) { said.yield("the last") }
    for await word in log.prefix(1) { #expect(word == "the last") }
  }
}
