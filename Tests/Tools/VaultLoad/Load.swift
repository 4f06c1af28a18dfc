import BumpVaultAPI
import Dispatch
import Foundation
import Synchronization
import VaultContract

/// Requests over HTTP, most of them claims. All are made before the first is sent.
struct Load {
  private let requests: [[UInt8]]

  init(expiry: Int64, first: Int64, count: Int) async throws {
    let scene = try await VaultLoad.scene(StoreMaker { InMemoryVaultStore($0, clock: $1) })
    requests = try (first..<first + Int64(count)).map { number in
      let (claim, receiver) = (try VaultLoad.claim(scene, number, expiry), try VaultLoad.receiver(number))
      let body = PayoutRequest(receiver: receiver.address, .proof(try scene.proof(of: claim, for: receiver))).json.text
      return Array(
        """
        POST /api/claims/\(claim.id)/claim HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """.utf8)
    }
  }

  /// Requests that are answered at once, with no look at the store.
  init(ofNothing count: Int) {
    requests = Array(repeating: Array("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8), count: count)
  }

  /// - Returns: requests a second, and the milliseconds that half of them and 99 of 100 took at the most.
  func run(at ports: [UInt16], clients: Int) throws -> String {
    let next = Atomic(0)
    let times = Mutex<[Double]>([])
    let failure = Mutex<String?>(nil)
    let group = DispatchGroup()
    let begin = ContinuousClock.now
    for client in 0..<clients {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          let connection = try Connection(ports[client % ports.count])
          let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
          defer { buffer.deallocate() }
          var own: [Double] = []
          while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < requests.count {
            let asked = ContinuousClock.now
            try connection.send(requests[index])
            let status = try connection.status(buffer)
            guard status == 200 else { throw Connection.Broken(what: "a request was answered with \(status)") }
            own.append((ContinuousClock.now - asked).seconds)
          }
          times.withLock { $0 += own }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
    }
    group.wait()
    let seconds = (ContinuousClock.now - begin).seconds
    if let failure = failure.withLock({ $0 }) { throw Connection.Broken(what: failure) }
    let sorted = times.withLock { $0.sorted() }
    return String(
      format: "%.1f %.3f %.3f", Double(sorted.count) / seconds, sorted[sorted.count / 2] * 1000,
      sorted[sorted.count * 99 / 100] * 1000)
  }
}
