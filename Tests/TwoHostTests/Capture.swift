import FoundationEssentials
import Lab
import Testing

extension Link {
  /// Writes down what a host sends and gets at this cable, from now on: all protocols, in the format of pcap.
  func capture(on host: Host) async throws -> RunningProcess {
    let cable = try #require(interface(of: host))
    let capture = try await host.spawn(["tcpdump", "-i", cable, "--immediate-mode", "-U", "-s", "0", "-w", "-"])
    try await capture.line(on: .error) { $0.contains("listening on") }
    return capture
  }

  /// Returns what these captures of both ends have so far. Each is whole when the last packet of all, which the host sends, is
  /// in it.
  func packets(of captures: [RunningProcess], from host: Host) async throws -> [Data] {
    _ = try await host.run(["bash", "-c", "echo -n the-last-packet >/dev/udp/\(Link.ipv4(host: 2))/9"])
    for capture in captures { try await capture.text("the-last-packet") }
    return captures.map { Data($0.standardOutput.bytes) }
  }
}
