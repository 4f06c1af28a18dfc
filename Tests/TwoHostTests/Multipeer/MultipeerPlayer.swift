import Lab

/// `MultipeerPeer` on a host: a program on MultipeerConnectivity, as one person has it.
struct MultipeerPlayer: Sendable {
  let name: String
  let process: RunningProcess

  /// - Parameter plan: what its environment says is simulated, if anything.
  init(
    _ name: String, on host: Host, encryption: String = "required", certificates: [String] = [], plan: String? = nil
  ) async throws {
    self.name = name
    process = try await host.spawn(
      [BumpCommand.program("MultipeerPeer"), name, encryption] + certificates,
      environment: plan.map { ["BUMP_SIMULATE": $0] } ?? [:])
  }

  func perform(_ commands: String...) { for command in commands { process.type(command + "\n") } }

  /// Waits until it says something; returns the milliseconds of its own clock.
  @discardableResult
  func says(_ text: String, within limit: Duration = .hang) async throws -> Int {
    let line = try await process.line(within: limit) {
      $0.split(separator: " ", maxSplits: 1).last.map { $0 == text } ?? false
    }
    return Int(line.prefix { $0.isNumber }) ?? 0
  }

  /// Waits until it has said the same so many times.
  func says(_ text: String, times count: Int) async throws {
    try await process.lines(count) { $0.split(separator: " ", maxSplits: 1).last.map { $0 == text } ?? false }
  }

  /// Waits until it says a line that begins so, and returns the line's last word.
  func word(after beginning: String) async throws -> String {
    let line = try await process.line {
      $0.split(separator: " ", maxSplits: 1).last.map { $0.hasPrefix(beginning + " ") } ?? false
    }
    return line.split(separator: " ").last.map(String.init) ?? ""
  }

  /// Its archived peer, and what another program needs to connect to it: texts, as people may send them each other.
  func identity() async throws -> String {
    perform("identify")
    return try await word(after: "identity")
  }

  func data(for peer: String) async throws -> String {
    perform("offer \(peer)")
    return try await word(after: "offer")
  }

  /// Invites another once it is found, and waits until both are connected.
  func connect(to other: MultipeerPlayer) async throws {
    try await says("found \(other.name) [\"color\": \"red\"]")
    perform("invite \(other.name)")
    try await says("state \(other.name) connected")
    try await other.says("state \(name) connected")
  }
}
