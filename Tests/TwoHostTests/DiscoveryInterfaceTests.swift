import Glibc
import Lab
import Testing

/// `--interface` in multicast DNS.
@Suite(.live) struct DiscoveryInterfaceTests {
  @Test(arguments: [["send", "--amount", "1.00"], ["receive"], ["browse"]])
  func `nothing is asked or announced by another interface than the one that is chosen`(arguments: [String])
    async throws
  {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      for number in 0...1 { _ = try await Link.join(left, right, number: number) }
      try await right.start(.needed)
      let chosen = try await watch(0, on: left, "to-right")
      let other = try await watch(1, on: left, "to-right-1")
      let running = try await BumpCommand("bob", on: right).start(arguments + ["--interface", "to-left"])
      let packet = "\(Link.ipv4(network: 0, host: 2)).5353 > 224.0.0.251.5353"
      try await chosen.line { $0.contains(packet) && $0.contains("_irl-bump._tcp") }
      // Whoever speaks by both cables may speak by this one first. It says everything twice, with a second in between, and
      // what would have gone by the other cable went before this.
      try await chosen.text(packet, after: chosen.standardOutput.bytes.count)
      try await right.shell("bash -c 'echo the end >/dev/udp/\(Link.ipv4(network: 1, host: 1))/5353'")
      try await other.line { $0.contains("\(Link.ipv4(network: 1, host: 1)).5353") }
      #expect(!other.standardOutput.text.contains("_irl-bump"), "\(other)")
      running.signal(SIGINT)
      _ = try await running.finish()
    }
  }

  /// What the right host says on a cable by multicast DNS.
  private func watch(_ number: Int, on left: Host, _ interface: String) async throws -> RunningProcess {
    let sources = ["\(Link.ipv4(network: number, host: 2))", "fd77:\(number)::2", "fe80::\(number):2"]
    return try await left.watch(
      interface, for: "udp dst port 5353 and (\(sources.map { "src host \($0)" }.joined(separator: " or ")))")
  }
}
