import ArgumentParser
import Testing

@testable import BumpCLI

/// What `--simulate` may not stand beside.
@Suite struct SimulateOptionTests {
  @Test(arguments: [
    ("send 1.00 --simulate replay --token USDC", "sends a claim of TEST"),
    ("send --simulate replay --again", "sends a new claim"),
    ("send 1.00 --simulate replay --link-only", "sends a new claim"),
    ("send 1.00 --simulate replay --store /tmp/x", "has a store and a service type of its own"),
    ("receive --simulate replay --service-type other", "has a store and a service type of its own"),
    ("receive --simulate replay --link -", "which may be real"),
    ("receive --simulate replay --peer 127.0.0.1:4000", "which may be real"),
    ("receive --simulate replay --save /tmp", "Leave out --link and --simulate"),
    ("receive --simulate replay --discovery none", "meets others by discovery"),
    ("send 1.00 --service-type irl-bump-sim", "is for --simulate"),
    ("receive --service-type irl-bump-sim", "is for --simulate"),
    ("send 1.00 --token TEST", "is for --simulate"),
  ]) func `a simulation meets nothing real, and nothing real meets one`(line: String, words: String) async throws {
    let error = await #expect(throws: (any Error).self) {
      _ = try await BumpCommand.asyncParseAsRoot(line.split(separator: " ").map(String.init))
    }
    let message = BumpCommand.message(for: try #require(error))
    #expect(message.contains(words), "\(message)")
  }
}
