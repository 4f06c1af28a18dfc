import Foundation
import Glibc
import Lab
import Testing

/// A descriptor that a child inherits by accident keeps a file on a full disk, a connection open, or a pipe from its end.
@Suite struct DescriptorTests {
  @Test func `a child started while others are made has its own three descriptors and no more`() async throws {
    // What this process was started with, its children have too.
    let inherited = try await Set(Self.descriptors(.pipes).map(\.target))
    // Children of all kinds, and connections, made from many threads at once: each is at some moment between two calls.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<48 {
        group.addTask {
          let streams: Streams = [.pipes, .terminal, .terminalButOutput][number % 3]
          let descriptors = try await Self.descriptors(streams)
          #expect(Set(descriptors.map(\.number)).isSuperset(of: [0, 1, 2]))
          for (number, target) in descriptors where number > 2 { #expect(inherited.contains(target)) }
        }
        group.addTask {
          for _ in 0..<20 { try Connection.make() }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Those that a child has, but for the directory in which it looks.
  private static func descriptors(_ streams: Streams) async throws -> [(number: Int, target: Substring)] {
    let listed = try await Running.start(["ls", "-lN", "/proc/self/fd"], streams: streams).finish()
    try #require(listed.status == 0, "\(listed)")
    return listed.lines.compactMap { line in
      guard let match = line.firstMatch(of: /(\d+) -> (.+)/), !match.2.contains(#/^/proc/\d+/fd/#) else { return nil }
      return Int(match.1).map { ($0, match.2) }
    }
  }

  /// One to a listener of its own, taken as the tests take theirs.
  private enum Connection {
    static func make() throws {
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      let caller = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { [listener, caller].forEach { close($0) } }
      // unix(7): bound to its family alone, it gets an abstract name of the kernel's.
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var length = socklen_t(MemoryLayout<sa_family_t>.size)
      let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          guard bind(listener, address, length) == 0, listen(listener, 1) == 0 else { return false }
          length = socklen_t(MemoryLayout<sockaddr_un>.size)
          return getsockname(listener, address, &length) == 0 && connect(caller, address, length) == 0
        }
      }
      try #require(isConnected)
      let taken = acceptConnection(on: listener)
      #expect(taken >= 0 && fcntl(taken, F_GETFD) == FD_CLOEXEC)
      close(taken)
    }
  }
}
