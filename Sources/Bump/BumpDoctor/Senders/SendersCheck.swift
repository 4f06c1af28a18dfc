import BumpDiscovery
import BumpKit
import BumpWire
import NIOCore

/// Checks the senders in sight: whether a receiver here can connect to each and gets WELCOME.
enum SendersCheck {
  /// An address of a sender, found on one interface.
  struct AddressCandidate: Hashable, Sendable {
    var address: SocketAddress
    var interface: UInt32
    /// How likely the address works; `nil` if a receiver would not try it.
    var likelihood: LocalNetworks.Likelihood?
  }

  struct Sender: Hashable, Sendable {
    /// The instance name as received. Anyone can choose it.
    var name: String
    /// When the sender's offer expires; `nil` if its record does not say.
    var expiry: Expiry?
    /// The sender's addresses; none if it does not resolve.
    var candidates: [AddressCandidate] = []
    /// The answers of the addresses that a receiver would try.
    var answers: [SocketAddress: PeerProbe.Answer] = [:]
    /// Whether the sender's machine lists it in answer to a unicast question; `nil` if the machine was not asked.
    var isAnnounced: Bool?

    var isOwn: Bool { !candidates.isEmpty && candidates.allSatisfy { $0.likelihood == .own } }
  }

  /// The greatest number of senders to check. A handful shows that discovery works.
  static let limit = 8
  /// The greatest number of addresses of a sender to try. A receiver tries more, staggered.
  static let maximumCandidates = 4

  /// How to try a sender.
  struct Prober: Sendable {
    var networks: @Sendable () -> LocalNetworks
    var probe: @Sendable (SocketAddress) async -> PeerProbe.Answer
    /// Asks a machine for its senders by unicast.
    var ask: @Sendable (SocketAddress) async -> [UInt8]?
  }

  /// Browses for a while, then resolves the senders found, and tries each.
  ///
  /// - Parameter clock: the clock for the time of browsing.
  /// - Returns: `nil` if browsing fails, which the check of publishing reports.
  static func gather(
    _ discovery: any Discovery, _ type: ServiceType, _ prober: Prober, within limit: Duration = .milliseconds(1500),
    on clock: any Clock<Duration> = ContinuousClock(), resolvingWithin resolving: Duration = .seconds(3)
  ) async -> [Sender]? {
    guard let found = try? await browse(discovery, type, within: limit, on: clock) else { return nil }
    return await withTaskGroup(of: Sender.self) { group in
      for (name, instances) in found {
        group.addTask {
          let seen = await resolve(name, instances, discovery, prober.networks(), within: resolving)
          return await tried(seen, prober)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.name < $1.name }
    }
  }

  private static func browse(
    _ discovery: any Discovery, _ type: ServiceType, within limit: Duration, on clock: any Clock<Duration>
  ) async throws -> [String: [ServiceInstance]] {
    let (sightings, feed) = AsyncThrowingStream.makeStream(of: ServiceInstance.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do {
          for try await case .found(let instance) in discovery.browse(type) { feed.yield(instance) }
        } catch {
          feed.finish(throwing: error)
        }
      }
      group.addTask {
        try? await clock.sleep(for: limit)
        feed.finish()
      }
      var found: [String: [ServiceInstance]] = [:]
      // Several interfaces may report the same sender.
      for try await instance in sightings where found.count < Self.limit || found[instance.name] != nil {
        found[instance.name, default: []].append(instance)
      }
      return found
    }
  }

  private static func resolve(
    _ name: String, _ instances: [ServiceInstance], _ discovery: any Discovery, _ networks: LocalNetworks,
    within limit: Duration
  ) async -> Sender {
    let (steps, feed) = AsyncStream.makeStream(of: (TXTRecord, AddressCandidate?).self)
    var sender = Sender(name: name)
    await withTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      for instance in instances {
        group.addTask {
          guard let service = try? await discovery.resolve(instance) else { return }
          feed.yield((service.txt, nil))
          do {
            for try await address in discovery.addresses(of: service) {
              let likelihood = networks.likelihood(of: address, seenOn: service.interface)
              feed.yield(
                (service.txt, AddressCandidate(address: address, interface: service.interface, likelihood: likelihood)))
            }
          } catch {}
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        feed.finish()
      }
      for await (txt, candidate) in steps {
        if candidate != nil, sender.candidates.isEmpty {
          // The other addresses arrive together with the first, so a short wait is enough.
          group.addTask {
            try? await Task.sleep(for: .milliseconds(300))
            feed.finish()
          }
        }
        sender.expiry = Announcement(txt).expiry
        if let candidate, !sender.candidates.contains(candidate) { sender.candidates.append(candidate) }
      }
    }
    return sender
  }

  /// Tries the addresses that a receiver would, the likeliest first, a quarter of a second apart, until a sender
  /// answers.
  private static func tried(_ sender: Sender, _ prober: Prober) async -> Sender {
    var sender = sender
    let likely = sender.candidates.filter { $0.likelihood != nil }.sorted {
      guard let left = $0.likelihood, let right = $1.likelihood else { return false }
      return left < right
    }
    await withTaskGroup(of: (SocketAddress, PeerProbe.Answer?).self) { group in
      defer { group.cancelAll() }
      for (number, candidate) in likely.prefix(maximumCandidates).enumerated() {
        group.addTask {
          do {
            try await Task.sleep(for: .milliseconds(250 * number))
          } catch {
            return (candidate.address, nil)
          }
          return (candidate.address, await prober.probe(candidate.address))
        }
      }
      for await (address, answer) in group {
        sender.answers[address] = answer
        if answer?.isSender == true { break }
      }
    }
    guard !sender.answers.values.contains(where: \.isSender) else { return sender }
    for candidate in likely.prefix(maximumCandidates) where sender.isAnnounced != true {
      let answer = await prober.ask(candidate.address)
      sender.isAnnounced = answer.map { Question.mentions(instance: sender.name, $0) } ?? false
    }
    return sender
  }

  /// What other checks know about the senders.
  struct Context: Sendable {
    var interfaces: [Interface] = []
    var letsConnect = Truth.unknown
    /// Whether an earlier finding says that a firewall of this machine blocks incoming connections.
    var isClosed = false
    /// Whether an earlier finding explains why senders are not found.
    var isBlind = false
    /// The machines whose multicast DNS was received.
    var heard: Set<String> = []
    /// The machines among them that list a sender.
    var heardSenders: Set<String> = []
    /// The address of the configuration's peer, which has its own finding.
    var peer: SocketAddress?
  }

  /// Judges the senders, and the clock by their expiry.
  ///
  /// - Parameter now: Unix time.
  static func judge(_ senders: [Sender], _ context: Context, now: Int64) -> [Finding] {
    senders.flatMap { sender -> [Finding] in
      [finding(sender, context), sender.expiry.flatMap { ClockCheck.judge($0, of: shown(sender), now: now) }]
        .compactMap(\.self)
    }
  }

  private static func shown(_ sender: Sender) -> String { InstanceName.shown(sender.name).distinct }

  private static func finding(_ sender: Sender, _ context: Context) -> Finding? {
    let name = shown(sender)
    if let (address, answer) = sender.answers.first(where: { $0.value.isSender }) {
      let whose = sender.isOwn ? " on this machine" : ""
      return PeerCheck.sender(answer, "\(name), in sight at \(address.text)\(whose),", .senders)
    }
    guard !sender.candidates.isEmpty else {
      if context.isBlind { return nil }
      return .note(
        .senders, "\(name) is in sight, but its address is not",
        cause: "it has gone, or its answers do not come through",
        remedy: "run `bump doctor` there too")
    }
    guard let candidate = sender.candidates.first(where: { sender.answers[$0.address] != nil }),
      let answer = sender.answers[candidate.address]
    else { return elsewhere(sender, name, context) }
    // The peer has its own finding.
    if sender.candidates.contains(where: { $0.address == context.peer }) { return nil }
    let (host, port) = (candidate.address.ipAddress ?? "?", "\(candidate.address.port ?? 0)")
    if sender.isOwn { return stopped(answer, name, port, context) }
    let addresses = Set(sender.candidates.compactMap(\.address.ipAddress))
    return ReachCheck(
      subject: "\(name) at \(candidate.address.text)", host: host, port: port, letsConnect: context.letsConnect,
      isHeard: !addresses.isDisjoint(with: context.heard),
      isAnnounced: sender.isAnnounced == true || !addresses.isDisjoint(with: context.heardSenders)
    ).judge(answer, .senders)
  }

  /// Returns the finding for a sender of this machine to which this machine itself cannot connect.
  private static func stopped(
    _ answer: PeerProbe.Answer, _ name: String, _ port: String, _ context: Context
  ) -> Finding? {
    switch answer {
    case .rejected, .stoppedHere, .noAnswer, .nobody:
      context.isClosed
        ? nil
        : .problem(
          .firewall, "a firewall of this machine drops or rejects TCP \(port), on which \(name) waits",
          cause: "a connection to it from this machine itself does not get through",
          remedy: "`sudo bump doctor --port \(port)` names the rule", blocking: [.tcp])
    default:
      .note(.senders, "\(name), of this machine, is listed, but does not answer", remedy: "run `bump send 1.00` again")
    }
  }

  /// Returns the finding for a sender without an address on a link of this machine.
  private static func elsewhere(_ sender: Sender, _ name: String, _ context: Context) -> Finding {
    let addresses = sender.candidates.compactMap(\.address.ipAddress)
    let interface = context.interfaces.first { interface in
      sender.candidates.contains { $0.interface == interface.index }
    }
    let (here, ours) = (interface?.name ?? "this machine", interface?.addresses ?? [])
    for (family, isTheirs, own) in [
      ("IPv4", { (text: String) in !text.contains(":") }, interface?.ipv4 ?? []),
      ("IPv6", { (text: String) in text.contains(":") }, interface?.ipv6 ?? []),
    ] where interface != nil && own.isEmpty && addresses.allSatisfy(isTheirs) {
      return .problem(
        .senders, "\(name) has \(family) addresses only (\(addresses.joinedInProse)), and \(here) has none",
        cause: family == "IPv4" ? "no DHCP server gave \(here) an IPv4 address" : "IPv6 is off on \(here)",
        remedy: "give both machines addresses of one family: IPv4 by DHCP, or IPv6 turned on")
    }
    return .problem(
      .senders,
      "\(name) is in sight at \(addresses.joinedInProse), which is in no network of \(here) (\(ours.joined(separator: ", ")))",
      cause: "the two machines are on one cable or Wi-Fi, but in different subnets",
      // Anybody can forge the record, so the remedy must not name its address.
      remedy: "give both addresses of one subnet, as one DHCP server does. If a router connects the two, "
        + "`bump send 1.00 --discovery none` there shows what to type here")
  }
}
