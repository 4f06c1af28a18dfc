import Glibc
import Testing

@testable import BumpDoctor

/// Other programs are given nothing of ours, and are not waited for without end.
@Suite(.timeLimit(.minutes(1))) struct ToolTests {
  @Test func `a tool sees none of our environment`() async {
    // In a process of its own: others would read the environment while it changes.
    await #expect(processExitsWith: .success) {
      setenv("BUMP_CODE", "27-482915", 1)
      let env = try #require(Tool.path("env"))
      let text = try #require(await Tool.run(env, [], within: .seconds(50)))
      #expect(text.split(separator: "\n").map { $0.prefix { $0 != "=" } }.sorted() == ["LC_ALL", "PATH"])
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
