import Foundation
import Glibc
import Lab
import Testing

/// A descriptor that a child inherits by accident keeps a file on a full disk, a connection open, or a pipe from its end.
@Suite struct DescriptorTests {
  /// Libraries that tests use open some that a child would inherit, SwiftNIO's sockets among them.
  @Test(arguments: [Streams.pipes, .terminal, .terminalButOutput])
  func `a child has its own three descriptors and no more, whatever is open here`(streams: Streams) async throws {
    let open = dup(STDIN_FILENO)
    defer { close(open) }
    try #require(open > 2 && fcntl(open, F_GETFD) == 0)
    #expect(try await Self.descriptors(streams).map(\.number) == [0, 1, 2])
  }

  @Test func `a connection that a test takes is no child's`() throws { try Connection.make() }

  /// Those that a child has, but for the directory in which it looks.
  private static func descriptors(_ streams: Streams) async throws -> [(number: Int, target: Substring)] {
    let listed = try await RunningProcess.start(["ls", "-lN", "/proc/self/fd"], streams: streams).finish()
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

  /// Calls that make a descriptor, and how each is to say that no child inherits it; `nil` where it cannot. Where the flag
  /// comes by a second call, a child that another thread starts in between has it, and no test can wait for that moment.
  private static var makers: [(call: Regex<Substring>, mark: Regex<Substring>?)] {
    [
      (#/\bopen(?:at|64)?\([^\n]*?\bO_(?:RDONLY|WRONLY|RDWR)\b/#, #/O_CLOEXEC/#),
      (#/\bfopen\(/#, #/"[rwa][b+]*e/#),
      (#/\bsocket\([^()]*\bAF_/#, #/SOCK_CLOEXEC/#),
      (#/\baccept\([^()\n]*, (?:nil|NULL), /#, nil),
      (#/\bpipe\(&?\w+\)/#, nil), (#/\bdup2?\(\w+/#, nil), (#/\bopenpty\(/#, nil),
      // Foundation's.
      (#/\bPipe\(\)/#, nil), (#/\bProcess\(\)/#, nil), (#/\bFileHandle\(for/#, nil),
    ]
  }

  @Test func `no source makes a descriptor that a child would inherit`() throws {
    var (sources, found) = (0, 0)
    for folder in ["Sources", "Tests", "Examples"] {
      let root = URL(filePath: #filePath).appending(path: "../../../\(folder)").standardized.path
      let files = try #require(FileManager.default.enumerator(atPath: root))
      for case let file as String in files where file.hasSuffix(".swift") || file.hasSuffix(".c") {
        if file.hasSuffix("DescriptorTests.swift") || file.contains(".build/") { continue }
        sources += 1
        let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
        // Python's are close-on-exec by themselves (PEP 446).
        let pieces = text.split(separator: "\"\"\"", omittingEmptySubsequences: false).enumerated()
        let source = pieces.filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined(separator: "…")
        for (call, mark) in Self.makers {
          for match in source.matches(of: call) {
            let whole = Self.call(at: match.startIndex, in: source)
            found += 1
            let isMarked = mark.map { whole.contains($0) } ?? false
            #expect(isMarked, "\(folder)/\(file): \(whole)")
          }
        }
      }
    }
    #expect(sources > 200 && found > 5, "these are not all: \(found) calls in \(sources) sources")
  }

  /// A call from its name to the parenthesis that closes it.
  private static func call(at start: String.Index, in source: String) -> Substring {
    var depth = 0
    for index in source[start...].indices {
      switch source[index] {
      case "(": depth += 1
      case ")": depth -= 1
      default: continue
      }
      if depth == 0 { return source[start...index] }
    }
    return source[start...]
  }
}
