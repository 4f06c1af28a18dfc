import BumpKit
import BumpServing
import BumpSharedCards
import BumpTerminal
import Synchronization

/// Serves shared cards over HTTP, and removes those that have expired.
struct CardServer: Sendable {
  let store: any SharedCardStore
  let report: CardReport

  /// Serves until the task is cancelled.
  ///
  /// - Parameter interface: the interface to serve on; `nil` for the loopback interface.
  func run(port: UInt16, on interface: NetworkInterface?) async throws -> ExitStatus {
    let interface = try interface ?? LocalServer.loopback()
    let service = CardService(store) { UnixTime.now() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await LocalServer(port: port, interface: interface).run({ report.serving($0, on: interface) }) {
          let request = OpenRequest()
          return { respond(to: $0, of: request, service) }
        }
      }
      group.addTask {
        await CardUpkeep(of: store) { UnixTime.now() }.run(on: ContinuousClock()) { report.cleaned($0) }
      }
      // Both run until they are cancelled; the server fails at once if the port is taken.
      try await group.next()
      group.cancelAll()
    }
    return report.served()
  }

  private func respond(
    to bytes: [UInt8], of request: OpenRequest, _ service: CardService
  ) -> LocalServer.Answer? {
    switch request.reader.withLock({ $0.receive(bytes) }) {
    case nil: return nil
    case .refused(let refusal):
      report.request(refusal.status)
      return { refusal.bytes() }
    case .request(let request):
      return { [report] in
        let answer = await service.answer(request.isHead ? "HEAD" : "GET", request.target)
        report.request(answer.status)
        return ServedResponse(answer.status, answer.headers.map { ($0.name, $0.value) }, answer.body)
          .bytes(isHead: request.isHead)
      }
    }
  }
}

/// The bytes that a connection has sent so far.
private final class OpenRequest: Sendable {
  let reader = Mutex(RequestReader())
}
