import BumpDiscovery
import Lab
import Testing

@testable import BumpCLI
@testable import BumpKit

@Suite(.processes()) struct BrowseReportTests {
  private func neighbour(_ name: String, _ mode: Mode?, channel: Int? = nil) -> Neighbour {
    var neighbour = Neighbour(name: name)
    (neighbour.mode, neighbour.channel, neighbour.age) = (mode, channel, .milliseconds(12_900))
    neighbour.addresses = ["192.0.2.1:4000", "[::1]:4000"].compactMap {
      if case .address(let address) = Endpoint($0) { address } else { nil }
    }
    return neighbour
  }

  @Test func `a line has the name, the mode, the first address, and the age in seconds`() {
    let lines = [
      BrowseReport.line(neighbour("alice-0123456789abcdef", .open)),
      BrowseReport.line(neighbour("alice-0123456789abcdef", .code, channel: 7)),
      BrowseReport.line(neighbour("x", nil)),
    ]
    #expect(
      lines == [
        #""alice-0123"          open     192.0.2.1:4000         12 s"#,
        #""alice-0123"          code 7   192.0.2.1:4000         12 s"#,
        #""x"                   ?        192.0.2.1:4000         12 s"#,
      ])
  }

  @Test(arguments: [
    (["--for", "0.2"], "Watching for senders, for 0.2 s.\n"),
    (["--for", "1", "--json"], "Watching for senders, for 1 s.\n"),
  ])
  func `what ends by itself does not ask for Ctrl-C`(arguments: [String], words: String) async throws {
    let ended = try await Person().run(["browse", "--discovery", "embedded", "--interface", "lo"] + arguments)
    #expect(ended.status == 0 && ended.standardError == words, "\(ended)")
  }

  @Test(arguments: ["", "--json"])
  func `stdout that cannot be written is an error, even where nobody is near`(json: String) async throws {
    let script = #""$bump" browse --discovery embedded --interface lo --for 1 \#(json) "#
    let full = try await Person().shell(script + ">/dev/full")
    // Without --json there is nothing to write where nobody is near.
    #expect(full.status == (json.isEmpty ? 0 : 1), "\(full)")
    #expect(
      full.standardError.contains("bump: not all was shown: stdout cannot be written") == !json.isEmpty, "\(full)")
  }

  @Test func `nothing that a stranger wrote drives a terminal`() {
    let line = BrowseReport.line(neighbour("\u{1B}[2J\u{202E}\r\n-0123456789abcdef", .key))
    #expect(line.hasPrefix(#""\u{1b}[2J\u{202e}\u{d}\u{a}-0123"  key"#), "\(line)")
  }
}
