import Foundation
import Glibc
import Testing

@testable import BumpDoctor

/// Other programs are given nothing of ours, and are not waited for without end.
@Suite(.timeLimit(.minutes(5))) struct ToolTests {
  @Test func `a tool sees none of our environment`() async {
    // In a process of its own: others would read the environment while it changes.
    await #expect(processExitsWith: .success) {
      setenv("BUMP_CODE", "27-482915", 1)
      let env = try #require(Tool.path("env"))
      let text = try #require(await Tool.run(env, [], within: .seconds(50)))
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

  /// Tools are started while others are, and each lists what it was left.
  @Test func `a tool inherits no pipe of another's`() async throws {
    let ls = try #require(Tool.path("ls"))
    let pipes = { @Sendable () async -> Set<Substring>? in
      let text = await Tool.run(ls, ["-l", "/proc/self/fd"], within: .seconds(50))
      return text.map { text in
        Set(
          text.split(separator: "\n").filter { !$0.contains(" 1 -> ") }.compactMap { $0.firstMatch(of: /pipe:.*/)?.0 })
      }
    }
    // The test process may have inherited some itself.
    let ours = try #require(await pipes())
    await withTaskGroup(of: Set<Substring>?.self) { group in
      for _ in 0..<400 { group.addTask { await pipes() } }
      for await theirs in group { #expect(theirs == ours) }
    }
  }

  @Test func `a tool that fails, or is not there, says nothing`() async throws {
    #expect(await Tool.run(try #require(Tool.path("false")), [], within: .seconds(50)) == nil)
    #expect(await Tool.run("/nonexistent/tool", []) == nil)
    #expect(Tool.path("no-such-tool-anywhere") == nil)
  }

  @Test func `a tool that does not end is ended`() async throws {
    let sleep = try #require(Tool.path("sleep"))
    let start = ContinuousClock.now
    #expect(await Tool.run(sleep, ["300"], within: .milliseconds(100)) == nil)
    #expect(start.duration(to: .now) < .seconds(50))
  }
}
