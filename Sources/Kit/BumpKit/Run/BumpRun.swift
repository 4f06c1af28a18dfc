/// A driver of one bump. The protocol has what the drivers of a sender and of a receiver share: the bump's inputs, its
/// timer and its end.
protocol BumpRun: Actor {
  associatedtype Bump: BumpMachine
  associatedtype Outcome: Sendable

  var bump: Bump { get set }
  var timeline: Timeline { get }
  var timer: DeadlineTimer { get set }
  var end: RunResult<Outcome> { get set }

  func perform(_ action: Bump.Action)
  /// Runs this task once the one of the last question has ended.
  func followQuestion(_ body: @escaping @Sendable () async -> Void)
}

extension BumpRun {
  func handle(_ input: Bump.Input) {
    for action in bump.handle(input, at: Moment(timeline.now())) { perform(action) }
    setTimer()
  }

  func setTimer() {
    timer.set(to: bump.deadline?.sinceStart, on: timeline) { await self.wake() }
  }

  private func wake() {
    timer.hasFired()
    handle(.deadline)
  }

  /// Asks the person here, if the program can ask this. The answer is the next input, unless the question is withdrawn.
  func ask<Question: Sendable, Answer: Sendable>(
    _ question: Question, _ prompts: (@Sendable (Question) async -> Answer)?,
    _ input: @escaping @Sendable (Answer) -> Bump.Input
  ) {
    guard let prompts else { return }
    followQuestion {
      let answer = await prompts(question)
      if !Task.isCancelled { await self.handle(input(answer)) }
    }
  }

  /// Waits for the end of the bump. If the calling task is cancelled, the bump is interrupted and ends soon.
  func ended() async -> Result<Outcome, StoreError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { end.wait($0) }
    } onCancel: {
      Task { await self.handle(.interrupted) }
    }
  }
}

/// The result of a run. It is set once, before or after somebody waits for it.
struct RunResult<Outcome: Sendable> {
  private var result: Result<Outcome, StoreError>?
  private var waiter: CheckedContinuation<Result<Outcome, StoreError>, Never>?

  var isSet: Bool { result != nil }

  mutating func set(_ result: Result<Outcome, StoreError>) {
    self.result = result
    waiter?.resume(returning: result)
    waiter = nil
  }

  mutating func wait(_ waiter: CheckedContinuation<Result<Outcome, StoreError>, Never>) {
    if let result { waiter.resume(returning: result) } else { self.waiter = waiter }
  }
}
