import FoundationEssentials
import Lab
import Testing

/// What the doctor has to say of a network, or of a machine in it.
enum Verdict: Sendable {
  /// Nothing is wrong.
  case well
  /// One thing, which keeps the two apart: words of what it is, of its cause and of what to try.
  case problem(String, cause: String, mend: String = "")
  /// One thing of which no more is known.
  case note(String, cause: String)
}

/// Three hosts on a switch: alice on the left one sends, bob on the right one wants to receive.
struct DoctorScene: Sendable {
  let left: Host
  let right: Host
  let hub: Switch
  /// A third host on the switch, by whose address others leave the network.
  let router: Host

  static let sender = "10.77.0.1:4000"

  /// Begins to send, and waits until the sender is announced. It goes on until the hosts are gone.
  @discardableResult
  func send(_ options: String..., on host: Host? = nil) async throws -> RunningProcess {
    let arguments = ["send", "--amount", "1", "--port", "4000", "--discovery-timeout", "100", "--json"] + options
    let sending = try await BumpCommand("alice", on: host ?? left).start(arguments)
    try await sending.event("advertising")
    return sending
  }

  /// Looks for senders on the right host, as a receiver does that takes none, until the hosts are gone.
  func look() async throws {
    try await BumpCommand("bob", on: right).start(["browse", "--json"]).event("browsing")
  }

  func sendAndLook() async throws -> [String: String] {
    try await send()
    try await look()
    return [:]
  }

  /// Lets a program of the right host hold port 5353 of an address.
  ///
  /// - Parameter option: the only socket option that is set; `nil` for none.
  func hold(_ address: String, with option: String? = nil) async throws {
    let family = address.contains(":") ? "AF_INET6" : "AF_INET"
    let set = option.map { "s.setsockopt(socket.SOL_SOCKET, socket.\($0), 1); " } ?? ""
    let script =
      "import socket; s = socket.socket(socket.\(family), socket.SOCK_DGRAM); \(set)s.bind(('\(address)', 5353)); "
      + "print('ready'); input()"
    try await right.spawn(["python3", "-uc", script]).line { $0 == "ready" }
  }

  /// A firewall of the host's with these rules.
  static func filter(_ host: Host, _ hook: String, policy: String = "accept", _ rules: [String]) async throws {
    try await host.shell(
      """
      nft add table inet ward
      nft add chain inet ward \(hook) '{ type filter hook \(hook) priority 0; policy \(policy); }'
      """)
    for rule in rules { try await host.shell("nft add rule inet ward \(hook) \(rule)") }
  }

  /// Makes the host's processes that load it see another time of day.
  static func clock(_ host: Host, ahead seconds: Int) async throws -> [String: String] {
    let source =
      "#include <time.h>\ntime_t time(time_t *at) { struct timespec now; clock_gettime(CLOCK_REALTIME, &now); "
      + "now.tv_sec += \(seconds)LL; if (at) *at = now.tv_sec; return now.tv_sec; }\n"
    try source.write(toFile: host.path("/run/clock.c"), atomically: false, encoding: .utf8)
    try await host.shell("clang -shared -fPIC -o /run/clock.so /run/clock.c")
    return ["LD_PRELOAD": "/run/clock.so"]
  }

  /// Runs `bump doctor`, by default as root.
  static func doctor(
    on host: Host, _ arguments: [String] = [], asUser: Bool = false, environment: [String: String] = [:]
  ) async throws -> ProcessResult {
    let user = ["setpriv", "--reuid", "65534", "--clear-groups", "--regid", "65534"]
    return try await host.run(
      (asUser ? user : []) + [BumpCommand.binary, "doctor", "--json"] + arguments,
      environment: ["LC_ALL": "C.UTF-8"].merging(environment) { $1 })
  }

  /// What is wrong by its findings. Not of the network are what other programs of the machine lack, whether an NTP client
  /// runs on the machine of the tests, that avahi-daemon is not needed, and that rules take root.
  static func complaints(_ finished: ProcessResult) throws -> [JSONObject] {
    try finished.events.filter { event in
      switch (event.string("severity"), event.string("check")) {
      case ("problem", _): return true
      case ("note", "nsswitch"), ("note", "dbus"), ("note", "daemon"): return false
      case ("note", "firewall"): return event.string("what")?.contains("be read") != true
      case ("note", "clock"): return event.string("what")?.contains("may not be synchronized") != true
      case ("note", _): return true
      default: return false
      }
    }
  }

  static func expect(_ verdict: Verdict, of finished: ProcessResult, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let complaints = try complaints(finished)
    let said = complaints.map { [$0.string("what"), $0.string("cause"), $0.string("try")].map { $0 ?? "" } }
    let words: (severity: String, what: String, cause: String, mend: String)
    switch verdict {
    case .well:
      #expect(said.isEmpty, "\(finished)", sourceLocation: sourceLocation)
      #expect(finished.status == 0, "\(finished)", sourceLocation: sourceLocation)
      return
    case .problem(let what, let cause, let mend): words = ("problem", what, cause, mend)
    case .note(let what, let cause): words = ("note", what, cause, "")
    }
    #expect(complaints.map { $0.string("severity") } == [words.severity], "\(finished)", sourceLocation: sourceLocation)
    let isAsExpected =
      said.first.map { $0[0].contains(words.what) && $0[1].contains(words.cause) && $0[2].contains(words.mend) }
      ?? false
    #expect(isAsExpected, "\(words) in \(finished)", sourceLocation: sourceLocation)
    #expect(finished.status == (words.severity == "problem" ? 1 : 0), "\(finished)", sourceLocation: sourceLocation)
  }
}

/// A network in which something is wrong, or nothing, and what the doctor has to say of it on one of the two hosts.
struct DoctorNetwork: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var left = Addressing.all
  var right = Addressing.all
  /// The network of the right host's addresses.
  var network = 0
  var daemons = Daemons.needed
  var arguments: [String] = []
  var asUser = false
  /// Whether the doctor runs on the left host, where the sender is.
  var isAtSender = false
  let verdict: Verdict
  /// Breaks something, and has alice send. Gives the doctor's environment.
  let arrange: @Sendable (DoctorScene) async throws -> [String: String]

  init(
    _ name: String, left: Addressing = .all, right: Addressing = .all, network: Int = 0, daemons: Daemons = .needed,
    arguments: [String] = [], asUser: Bool = false, isAtSender: Bool = false, _ verdict: Verdict,
    arrange: @escaping @Sendable (DoctorScene) async throws -> [String: String]
  ) {
    (testDescription, self.left, self.right, self.network, self.daemons) = (name, left, right, network, daemons)
    (self.arguments, self.asUser, self.isAtSender, self.verdict) = (arguments, asUser, isAtSender, verdict)
    self.arrange = arrange
  }

  /// A network in which a host's firewall has these rules, while alice sends.
  static func firewall(
    _ name: String, atSender: Bool = false, hook: String = "input", policy: String = "accept", _ rules: [String],
    arguments: [String] = [], asUser: Bool = false, isAtSender: Bool = false, _ verdict: Verdict
  ) -> DoctorNetwork {
    // At the sender the doctor also says if nobody else speaks multicast DNS: a daemon does.
    DoctorNetwork(
      name, daemons: isAtSender ? .avahi : .needed, arguments: arguments, asUser: asUser, isAtSender: isAtSender,
      verdict
    ) { scene in
      try await scene.send()
      try await DoctorScene.filter(atSender ? scene.left : scene.right, hook, policy: policy, rules)
      return [:]
    }
  }

  func run() async throws {
    try await withHosts(["left", "right", "router", "hub"]) { hosts in
      let scene = DoctorScene(left: hosts[0], right: hosts[1], hub: try await Switch(at: hosts[3]), router: hosts[2])
      try await scene.hub.join(scene.left, number: 1, left)
      try await scene.hub.join(scene.right, number: 2, right, network: network)
      try await scene.hub.join(scene.router, number: 3)
      async let first: Void = scene.left.start(daemons)
      async let second: Void = scene.right.start(daemons)
      _ = try await (first, second)
      let environment = try await arrange(scene)
      let finished = try await DoctorScene.doctor(
        on: isAtSender ? scene.left : scene.right, arguments, asUser: asUser, environment: environment)
      try DoctorScene.expect(verdict, of: finished)
    }
  }
}
