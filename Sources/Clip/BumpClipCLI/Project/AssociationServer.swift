import BumpKit
import BumpLint
import BumpTerminal
import Synchronization

/// Serves apple-app-site-association files to this machine.
struct AssociationServer: Sendable {
  let files: [String: [UInt8]]
  let json: JSONLines

  /// Serves until the task is cancelled.
  func run(port: UInt16) async throws -> ExitStatus {
    try await LocalServer(port: port, interface: LocalServer.loopback()).run(began) {
      let request = OpenRequest(AssociationResponder(files: files))
      return { bytes in
        guard let answer = request.responder.withLock({ $0.receive(bytes) }) else { return nil }
        json.write("request", ["status": .integer(Int64(answer.status)), "host": answer.host.map { .string($0) }])
        return { answer.bytes }
      }
    }
    json.write("result", ["outcome": "ended", "exit": 0])
    return .success
  }

  private func began(_ port: UInt16) {
    let hosts = files.keys.sorted()
    json.write(
      "serving", ["port": .integer(Int64(port)), "hosts": .list(hosts.map { ["host": .string($0)] })])
    guard !json.isOn else { return }
    for host in hosts {
      Console.result("curl --connect-to \(host):80:localhost:\(port) http://\(host)\(AssociationResponder.path)")
    }
  }
}

/// The bytes that a connection has sent so far.
private final class OpenRequest: Sendable {
  let responder: Mutex<AssociationResponder>

  init(_ responder: AssociationResponder) { self.responder = Mutex(responder) }
}
