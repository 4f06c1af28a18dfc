import Lab

extension Host {
  /// Watches who asks for senders by multicast DNS on a network interface.
  func watchQuestions(on interface: String) async throws -> RunningProcess {
    try await watch(interface, for: "udp dst port 5353")
  }
}

extension RunningProcess {
  /// Returns once a receiver has asked, which its event `browsing` does not tell: it stands before the asking.
  func untilAsked() async throws {
    try await line { $0.contains("? _irl-bump._tcp.local") }
  }
}
