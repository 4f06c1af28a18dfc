import BumpKit
import BumpTerminal

/// The status line of the wait for a claim's receiver: `Waiting until it is claimed, 23:59:58 left`.
final class WaitingStatus: Sendable {
  private let console: Console
  private let task: Task<Void, Never>

  init(until end: Int64, _ console: Console) {
    self.console = console
    let isRewritten = console.rewritesStatus
    task = Task {
      var isFirst = true
      while true {
        let left = max(0, end - UnixTime.now())
        let parts = [left / 3600, left / 60 % 60, left % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        console.setStatus(
          "Waiting until it is claimed, \(parts.joined(separator: ":")) left. Ctrl-C ends the waiting.", first: isFirst)
        isFirst = false
        guard isRewritten, (try? await Task.sleep(for: .seconds(1))) != nil else { return }
      }
    }
  }

  func stop() {
    task.cancel()
    console.clearStatus()
  }
}
