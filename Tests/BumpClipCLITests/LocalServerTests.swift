import BumpDiscovery
import BumpKit
import Lab
import Synchronization
import Testing

@testable import BumpClipCLI

/// The server of shared cards and of association files, over the loopback interface.
@Suite(.timeLimit(.minutes(30))) struct LocalServerTests {
  /// Runs a server that answers `!` to `?`, and a body with its address.
  private func serve(_ server: LocalServer, _ body: @Sendable @escaping (Endpoint) async throws -> Void) async throws {
    let (ports, begun) = AsyncStream.makeStream(of: UInt16.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run({ begun.yield($0) }) {
          { bytes in
            guard bytes.contains(0x3F) else { return nil }
            return { [0x21] }
          }
        }
      }
      for await port in ports {
        try await body(.host("127.0.0.1", port: port))
        break
      }
      group.cancelAll()
    }
  }

  /// Returns what the other end sends until it closes.
  private static func answer(on connection: any Connection) async -> [UInt8] {
    let answer = Mutex<[UInt8]>([])
    await connection.receive { bytes in answer.withLock { $0 += bytes } }
    return answer.withLock(\.self)
  }

  @Test func `a request is answered though a host has opened more connections than there are places`() async throws {
    let interface = try LocalServer.loopback()
    try await serve(LocalServer(port: 0, interface: interface, idle: .hang)) { address in
      var idle: [any Connection] = []
      for _ in 0..<(LocalServer.slots + 2) { idle.append(try await TCPTransport().connect(to: address)) }
      let connection = try await TCPTransport().connect(to: address)
      connection.send([0x3F])
      #expect(try await withTimeout(.hang, "an answer") { await Self.answer(on: connection) } == [0x21])
      for connection in idle { connection.close() }
    }
  }

  @Test func `a connection whose request is not complete in time is closed`() async throws {
    let interface = try LocalServer.loopback()
    try await serve(LocalServer(port: 0, interface: interface, idle: .milliseconds(1))) { address in
      let connection = try await TCPTransport().connect(to: address)
      connection.send([0x20])
      #expect(try await withTimeout(.hang, "the end") { await Self.answer(on: connection) }.isEmpty)
    }
  }
}
