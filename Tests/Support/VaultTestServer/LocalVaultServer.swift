import BumpSystem
package import BumpVaultAPI
package import BumpVaultHTTP
import Glibc
import Lab
import Synchronization
import Testing

/// A vault's server on a port of this machine, for as long as it is held: HTTP/1.1, a connection for each request.
///
/// It has threads of its own. Its clients are processes that wait for seconds, and the threads that all tests of a run share
/// may compute for longer.
package final class LocalVaultServer: Sendable {
  package let port: UInt16
  private let listener: Int32
  private let service: VaultService
  /// What comes back for the next requests whose path ends so, all of which are carried out: other bytes, or with none the
  /// end of the connection.
  private let fates = Mutex<[(path: String, answer: [UInt8])]>([])
  private let seen = Mutex<[String]>([])

  /// Those who wait until answers are given again; `nil` while they are.
  private let held = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

  /// What happens before a request is carried out.
  private let deed = Mutex<(@Sendable (String) async -> Void)?>(nil)

  package var url: String { "http://127.0.0.1:\(port)" }
  /// The first lines of the requests, and their bodies.
  package var requests: [String] { seen.withLock { $0 } }
  package func loseAnswer(to path: String) { fates.withLock { $0.append((path, [])) } }
  package func forgeAnswer(to path: String, _ problem: Problem) {
    let answer = problem.answer
    let head = Self.head(answer.status, answer.headers, count: answer.body.encoded.count)
    forgeAnswer(to: path, bytes: head + answer.body.encoded)
  }
  package func forgeAnswer(to path: String, _ body: JSONValue) {
    let head = Self.head(200, [.init("Content-Type", "application/json")], count: body.encoded.count)
    forgeAnswer(to: path, bytes: head + body.encoded)
  }
  /// Has these bytes come back, whatever they are.
  package func forgeAnswer(to path: String, bytes: [UInt8]) { fates.withLock { $0.append((path, bytes)) } }

  private static func head(_ status: Int, _ headers: [Answer.Header], count: Int?) -> [UInt8] {
    var head = "HTTP/1.1 \(status) X\r\nConnection: close\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if let count { head += "Content-Length: \(count)\r\n" }
    return Array((head + "\r\n").utf8)
  }

  /// Has something happen before each request is carried out, which is given as `requests` has it.
  package func before(_ deed: @escaping @Sendable (_ request: String) async -> Void) {
    self.deed.withLock { $0 = deed }
  }

  /// Carries out no request from now on, until `letGo`.
  package func hold() { held.withLock { $0 = $0 ?? [] } }
  package func letGo() {
    let waiting = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    waiting.forEach { $0.resume() }
  }

  /// - Parameters:
  ///   - service: with the clock of this machine.
  ///   - isOrigin: whether the vault is to be found here, and signs that. Otherwise this is somebody who relays it.
  package init(_ service: VaultService, isOrigin: Bool = true) throws {
    self.service = service
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    try #require(isListening)
    port = UInt16(bigEndian: address.sin_port)
    if isOrigin { service.origin.set(VaultURL("http://127.0.0.1:\(port)")) }
    startThread { [weak self] in
      while true {
        let connection = acceptConnection(on: listener)
        guard connection >= 0 else { return }
        guard let self else {
          close(connection)
          return
        }
        startThread { self.serve(connection) }
      }
    }
    let watchers = service.watchers
    Task(executorPreference: ServersThread.shared) { [weak self] in
      while self != nil {
        watchers.tick(Int64(time(nil)))
        try? await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ connection: Int32) {
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    var head: Substring?
    var body: [UInt8] = []
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else {
        close(connection)
        return
      }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
      head = text[..<end.lowerBound]
      let length = text.firstMatch(of: /(?i)content-length: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
      body = Array(text[end.upperBound...].utf8)
      if body.count >= length { break }
    }
    let lines = (head ?? "").split(separator: "\r\n")
    let first = lines[0].split(separator: " ").map(String.init)
    let said = "\(first[0]) \(first[1]) \(String(decoding: body, as: UTF8.self))"
    seen.withLock { $0.append(said) }
    let headers = lines.dropFirst().compactMap { line -> VaultRequest.Header? in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 ? .init(String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
    }
    guard let peer = ClientAddress("127.0.0.1") else { return }
    let received = body
    let request = VaultRequest(first[0], first[1], headers: headers, from: peer) { () throws(BodyError) in received }
    let path = first[1]
    Task(executorPreference: ServersThread.shared) {
      await self.answer(request, said, path, on: connection)
    }
  }

  private func answer(_ request: VaultRequest, _ said: String, _ path: String, on connection: Int32) async {
    defer { close(connection) }
    await deed.withLock(\.self)?(said)
    await withCheckedContinuation { continuation in
      let isHeld = held.withLock { held in
        held?.append(continuation)
        return held != nil
      }
      if !isHeld { continuation.resume() }
    }
    let carriedOut = await service.answer(request)
    let forged = fates.withLock { fates in
      fates.firstIndex { path.prefix { $0 != "?" }.hasSuffix($0.path) }.map { fates.remove(at: $0).answer }
    }
    if let forged { return Self.send(forged, to: connection) }
    let response = carriedOut
    switch response.body {
    case .bytes(let bytes):
      Self.send(Self.head(response.status, response.headers, count: bytes.count) + bytes, to: connection)
    case .events(let events):
      Self.send(Self.head(response.status, response.headers, count: nil), to: connection)
      try? await events.run { Self.send($0, to: connection) }
    }
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
