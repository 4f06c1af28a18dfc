import BumpVault
import Lab
import Testing

/// Calls that share a run, without a server.
@Suite struct CallBatcherTests {
  /// Runs that wait to be let go.
  private actor Runs {
    private(set) var inputs: [[Int]] = []
    private var held: [CheckedContinuation<Void, Never>] = []

    func hold(_ run: [Int]) async {
      inputs.append(run)
      await withCheckedContinuation { held.append($0) }
    }

    func letGo() { if !held.isEmpty { held.removeFirst().resume() } }

    /// Waits until a run waits to be let go.
    nonisolated func wait() async throws { try await waitUntil("a run") { await self.areHeld } }
    private var areHeld: Bool { !held.isEmpty }
  }

  private struct Odd: Error, Equatable { let number: Int }

  private static func gathering(_ runs: Runs, most: Int = 64) -> CallBatcher<Int, Int> {
    CallBatcher(most: most) { numbers in
      await runs.hold(numbers)
      return numbers.map { $0.isMultiple(of: 2) ? .success($0 * 10) : .failure(Odd(number: $0)) }
    }
  }

  /// Makes a call, and waits until it is in a run or waits for one.
  private static func call(
    _ number: Int, of gathering: CallBatcher<Int, Int>, waitingBehind count: Int?, _ runs: Runs
  ) async throws -> Task<Int, any Error> {
    let task = Task { try await gathering(number) }
    if let count {
      try await waitUntil("a call that waits") { gathering.waitingCount >= count + 1 }
    } else {
      try await runs.wait()
    }
    return task
  }

  @Test(.timeLimit(.minutes(30))) func `calls that come during a run share the next`() async throws {
    let runs = Runs()
    let gathering = Self.gathering(runs)
    var tasks = [try await Self.call(0, of: gathering, waitingBehind: nil, runs)]
    for number in 1...4 { tasks.append(try await Self.call(number, of: gathering, waitingBehind: number - 1, runs)) }
    await runs.letGo()
    #expect(try await tasks[0].value == 0)
    try await runs.wait()
    await runs.letGo()
    for number in 1...4 {
      let result = await tasks[number].result
      if number.isMultiple(of: 2) {
        #expect(try result.get() == number * 10)
      } else {
        #expect(throws: Odd(number: number)) { try result.get() }
      }
    }
    #expect(await runs.inputs == [[0], [1, 2, 3, 4]])
    // Afterwards a call runs at once again.
    let last = try await Self.call(6, of: gathering, waitingBehind: nil, runs)
    await runs.letGo()
    #expect(try await last.value == 60)
  }

  @Test(.timeLimit(.minutes(30))) func `a run has no more calls than it may`() async throws {
    let runs = Runs()
    let gathering = Self.gathering(runs, most: 2)
    var tasks = [try await Self.call(0, of: gathering, waitingBehind: nil, runs)]
    for number in 1...3 {
      tasks.append(try await Self.call(number * 2, of: gathering, waitingBehind: number - 1, runs))
    }
    for _ in 0..<3 {
      try await runs.wait()
      await runs.letGo()
    }
    for (number, task) in tasks.enumerated() { #expect(try await task.value == number * 20) }
    #expect(await runs.inputs == [[0], [2, 4], [6]])
  }
}
