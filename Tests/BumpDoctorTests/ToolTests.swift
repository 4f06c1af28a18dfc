import Foundation
import Glibc
import Lab
import Testing

@testable import BumpDoctor

/// Other programs are given nothing of ours, and are not waited for without end.
@Suite(.processes()) struct ToolTests {
  @Test func `a tool sees none of our environment`() async {
    // In a process of its own: others would read the environment while it changes.
    await #expect(processExitsWith: .success) {
      setenv("BUMP_CODE", "27-482915", 1)
      let env = try #require(Tool.path("env"))
      let text = try #require(await Tool.run(env, [], within: .hang))
      #expect(text.split(separator: "\n").map { $0.prefix { $0 != "=" } }.sorted() == ["LC_ALL", "PATH"])
    }
  }

  @Test func `root runs no tool that lies on the PATH of whoever called`() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: "bump-tools-\(randomName())").path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: place) }
    for name in ["env", "bump-no-such-tool"] {
      try Data().write(to: URL(filePath: "\(place)/\(name)"))
      chmod("\(place)/\(name)", 0o755)
    }
    #expect(Tool.path("env", isRoot: true, searchPath: place) == "/usr/bin/env")
    #expect(Tool.path("bump-no-such-tool", isRoot: true, searchPath: place) == nil)
    #expect(Tool.path("env", isRoot: false, searchPath: place) == "\(place)/env")
    #expect(Tool.path("env", isRoot: false, searchPath: ".:relative") == "/usr/bin/env")
  }

  @Test func `a tool has its own three descriptors and no more, whatever is open here`() async throws {
    let open = fcntl(STDIN_FILENO, F_DUPFD, 3)
    defer { close(open) }
    try #require(open > 2 && fcntl(open, F_GETFD) == 0)
    let ls = try #require(Tool.path("ls"))
    let text = try #require(await Tool.run(ls, ["-l", "/proc/self/fd"], within: .hang))
    // The fourth is that of the directory in which it looks.
    let numbers = text.matches(of: #/(\d+) -> /#).compactMap { Int($0.1) }
    #expect(numbers == [0, 1, 2, 3], "\(text)")
  }

  @Test func `a tool that fails, or is not there, says nothing`() async throws {
    #expect(await Tool.run(try #require(Tool.path("false")), [], within: .hang) == nil)
    #expect(await Tool.run("/nonexistent/tool", []) == nil)
    #expect(Tool.path("no-such-tool-anywhere") == nil)
  }

  @Test func `a tool that does not end is ended`() async throws {
    let sleep = try #require(Tool.path("sleep"))
    #expect(await Tool.run(sleep, ["infinity"], within: .milliseconds(100)) == nil)
  }
}
