public import BumpDiscovery
public import BumpKit
import BumpWire
import Glibc
import NIOCore

/// Finds out why two machines do not find or reach each other.
///
/// All checks gather facts at the same time; then pure functions judge them. A cause is reported once, and not again by
/// a check that sees its consequences. A run takes some four seconds. It takes five more if a sender in sight does not
/// answer, or if the only sender in sight is on this machine and no other machine is heard.
public struct Doctor: Sendable {
  /// What to check.
  public struct Configuration: Sendable {
    /// Returns discovery on one network interface, or on all (0). `nil` if discovery is turned off and people exchange
    /// addresses.
    public var discovery: (@Sendable (_ interface: UInt32) async -> (any Discovery)?)?
    /// Whether discovery needs avahi-daemon.
    public var needsDaemon = true
    /// The only interface to check; `nil` for all.
    public var interface: NetworkInterface?
    /// The TCP port of a sender on this machine; `nil` if it is not fixed.
    public var port: UInt16?
    /// The type of the services to look for.
    public var serviceType = ServiceType.irlBump
    /// The sender to try, in addition to those that discovery finds.
    public var peer: Endpoint?

    /// Makes a configuration for all interfaces.
    public init(discovery: (@Sendable (_ interface: UInt32) async -> (any Discovery)?)?) {
      self.discovery = discovery
    }
  }

  private let configuration: Configuration

  /// Makes a doctor; `run` starts it.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Runs all checks, and reports the findings in a fixed order, each as soon as those before it are known.
  public func run(onFinding: (Finding) -> Void) async {
    let all = await Interface.allWithPorts()
    let candidates = InterfaceCheck.candidates(all, named: configuration.interface?.name)
    let own = Set(all.flatMap(\.addresses))
    async let firewall = FirewallReader.read()
    async let daemonFacts = daemon()
    async let portFacts = port()
    // An interface without multicast has a finding already.
    let capable = candidates.filter(\.carriesMulticast)
    async let multicast = multicast(capable, own)
    async let publishing = publishing(capable)
    async let sendersInSight = senders()
    async let peerAnswer = peer()

    var explained = Explained()
    func tell(_ findings: [Finding]) {
      findings.forEach(onFinding)
      explained.note(findings)
    }

    tell(
      InterfaceCheck.judge(
        all, named: configuration.interface?.name, isMulticastWanted: configuration.discovery != nil))
    let reading = await firewall
    tell(await judge(reading, candidates))
    if let port = configuration.port {
      tell([ListenCheck.judge(PortHolders.listeners(port: port), port: port)].compactMap(\.self))
    }
    let port = await portFacts
    if let facts = await daemonFacts {
      let need: DaemonCheck.Need = configuration.needsDaemon ? .required : .optional
      tell(DaemonCheck.judge(facts, need, isRunning: port?.hasAvahi == true))
      explained.isDiscoveryDead = explained.isDiscoveryDead || DaemonCheck.isFatal(facts, need)
    }
    let echoResults = await multicast
    if let port {
      let finding = PortCheck.judge(port, heard: Set(echoResults.flatMap(\.heard)))
      tell([finding])
      explained.isDiscoveryDead = explained.isDiscoveryDead || finding.severity == .problem
    }
    for facts in echoResults {
      let name = facts.interface.name
      tell(
        MulticastCheck.judge(facts) { group in
          explained.isDiscoveryDead || port?.refusals[group] != nil || FirewallCheck.drops(group, by: name, reading)
        })
    }
    let deaf = Set(echoResults.filter(\.isDeaf).map(\.interface.name))
    let published = await publishing.filter { !deaf.contains($0.interface) }
    if !explained.isDiscoveryDead { tell(PublishingCheck.judge(published)) }

    let letsConnect = FirewallCheck.letsConnect(reading, candidates, to: FirewallReader.ephemeralPorts())
    let found = await sendersInSight
    // Without a network, cached senders mean nothing.
    if let found, !candidates.isEmpty {
      let respondingHosts = echoResults.flatMap { $0.echoResults.values }.flatMap(\.respondingHosts)
      let context = SendersCheck.Context(
        interfaces: all, letsConnect: letsConnect, isClosed: explained.isClosed, isBlind: explained.isBlind,
        heard: Set(respondingHosts.map(\.address)),
        heardSenders: Set(respondingHosts.filter(\.isSender).map(\.address)),
        peer: peerAddress)
      tell(SendersCheck.judge(found, context, now: UnixTime.now()))
    }
    let answer = await peerAnswer
    let isBlind = found == nil || explained.isBlind || !deaf.isEmpty
    if let peer = configuration.peer, let answer {
      var context = PeerCheck.Context(letsConnect: letsConnect)
      if !isBlind, answer.isSender, let peerAddress {
        context.isFound = PeerCheck.isFound(peerAddress, among: found ?? [], direct: nil)
        if context.isFound != true {
          let direct = await DirectQuestion(type: configuration.serviceType).ask(peerAddress)
          context.isFound = PeerCheck.isFound(peerAddress, among: found ?? [], direct: direct)
          context.tellsDirectly = direct != nil
        }
      }
      tell(PeerCheck.judge(answer, of: peer, context))
    }
    // A sender on this machine says nothing about the network.
    if let found, found.allSatisfy(\.isOwn), !isBlind, answer == nil {
      tell([await nobody(echoResults, own, isSending: !found.isEmpty)].compactMap(\.self))
    }
    if configuration.discovery != nil {
      tell([NameServiceCheck.judge(Files.text("/etc/nsswitch.conf"))].compactMap(\.self))
    }
    if !explained.isClockWrong {
      tell(
        [ClockCheck.judge(isSynchronized: ClockCheck.isSynchronized(), now: UnixTime.now())].compactMap(\.self))
    }
  }

  /// The problems that have been reported, whose consequences are not reported again.
  private struct Explained {
    /// Discovery does not work on any interface.
    var isDiscoveryDead = false
    /// A firewall blocks incoming connections.
    var isClosed = false
    /// A problem of this machine may keep it from finding senders.
    var isBlind = false
    var isClockWrong = false

    mutating func note(_ findings: [Finding]) {
      for finding in findings where finding.severity == .problem {
        switch finding.check {
        case .firewall:
          isClosed = isClosed || finding.blocked.contains(.tcp)
          isBlind = isBlind || finding.blocked.contains(.udp)
        case .clock: isClockWrong = true
        case .peer, .senders, .nsswitch, .port: break
        case .interfaces, .dbus, .daemon, .port5353, .multicast, .publishing: isBlind = true
        }
      }
    }
  }

  private func judge(_ reading: FirewallReader.Reading, _ interfaces: [Interface]) async -> [Finding] {
    let packets = FirewallCheck.packets(
      interfaces, port: configuration.port, ephemeral: FirewallReader.ephemeralPorts(),
      isMulticastWanted: configuration.discovery != nil)
    let findings = FirewallCheck.judge(reading, packets)
    guard reading == .unreadable else { return findings }
    // The rules are unknown, so this machine tries to connect to itself.
    let problem = SelfCheck.judge(await SelfCheck.gather(interfaces, port: configuration.port))
    return problem.map { [$0] } ?? findings
  }

  private func daemon() async -> DaemonCheck.Facts? {
    guard configuration.discovery != nil else { return nil }
    return await DaemonCheck.gather(bus: getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) })
  }

  private func port() async -> PortCheck.Facts? {
    configuration.discovery == nil ? nil : await PortCheck.gather()
  }

  private func multicast(_ interfaces: [Interface], _ own: Set<String>) async -> [MulticastCheck.Facts] {
    guard configuration.discovery != nil else { return [] }
    return await eachOf(interfaces) { await MulticastCheck.gather($0, configuration.serviceType, own: own) }
  }

  private func publishing(_ interfaces: [Interface]) async -> [PublishingCheck.Facts] {
    guard let discovery = configuration.discovery else { return [] }
    let facts = await eachOf(interfaces) { interface -> PublishingCheck.Facts? in
      guard let discovery = await discovery(interface.index) else { return nil }
      return PublishingCheck.Facts(
        interface: interface.name, backend: discovery.backend, outcome: await TestService(discovery: discovery).run())
    }
    return facts.compactMap(\.self)
  }

  private func senders() async -> [SendersCheck.Sender]? {
    guard let discovery = await configuration.discovery?(configuration.interface?.index ?? 0) else { return nil }
    let prober = SendersCheck.Prober(
      networks: { .current() },
      probe: { [configuration] in await PeerProbe(peer: .address($0), by: configuration.interface).run() },
      ask: { [configuration] in await DirectQuestion(type: configuration.serviceType).ask($0) })
    return await SendersCheck.gather(discovery, configuration.serviceType, prober)
  }

  private func nobody(
    _ echoResults: [MulticastCheck.Facts], _ own: Set<String>, isSending: Bool
  ) async -> Finding? {
    var echoResults = echoResults
    if isSending, !echoResults.contains(where: \.hearsOthers) {
      echoResults = await eachOf(echoResults.map(\.interface)) {
        await MulticastCheck.gather($0, configuration.serviceType, own: own, for: MulticastEcho.receiverDuration)
      }
    }
    let links = await eachOf(echoResults) { facts in
      await NoPeerCheck.gather(facts.interface, facts.echoResults, own: own) { [configuration] in
        await DirectQuestion(type: configuration.serviceType).ask($0)
      }
    }
    return NoPeerCheck.judge(links, on: .current(), isSending: isSending)
  }

  private func peer() async -> PeerProbe.Answer? {
    guard let peer = configuration.peer else { return nil }
    return await PeerProbe(peer: peer, by: configuration.interface).run()
  }

  private var peerAddress: SocketAddress? {
    if case .address(let address) = configuration.peer { address } else { nil }
  }

  /// Gathers the facts of all things at the same time, and returns them in order.
  private func eachOf<Thing: Sendable, Facts: Sendable>(
    _ things: [Thing], _ gather: @escaping @Sendable (Thing) async -> Facts
  ) async -> [Facts] {
    await withTaskGroup(of: (Int, Facts).self) { group in
      for (number, thing) in things.enumerated() {
        group.addTask { (number, await gather(thing)) }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
