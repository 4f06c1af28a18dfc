public import BumpDiscovery
public import BumpKit
import BumpWire
import Glibc

/// Looks for what keeps two machines from finding or reaching each other.
///
/// Each check gathers facts, and a pure function judges them. All gather at the same time: it takes as long as the
/// slowest of them, some two seconds; a `peer` has five to let itself be connected to, and three more to speak.
public struct Doctor: Sendable {
  public struct Configuration: Sendable {
    /// Makes what publishes and finds by one network interface, or by all of them (0); `nil` where nothing is to be
    /// found, and addresses are told.
    public var discovery: (@Sendable (_ interface: UInt32) async -> (any Discovery)?)?
    /// Whether discovery can do nothing without avahi-daemon.
    public var needsDaemon = true
    /// The one interface to look at.
    public var interface: NetworkInterface?
    /// The port of a sender here, where it is fixed.
    public var port: UInt16?
    public var serviceType = ServiceType.irlBump
    /// A sender to reach.
    public var peer: Endpoint?

    public init(discovery: (@Sendable (_ interface: UInt32) async -> (any Discovery)?)?) {
      self.discovery = discovery
    }
  }

  private let configuration: Configuration

  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Makes all checks, and tells each finding as soon as those before it are known.
  public func run(onFinding: (Finding) -> Void) async {
    let interfaces = Interface.all()
    let candidates = InterfaceCheck.candidates(interfaces, named: configuration.interface?.name)
    async let firewall = firewall(candidates)
    async let daemon = daemon()
    async let port = port()
    // What the others lack is said already.
    let capable = candidates.filter(\.carriesMulticast)
    async let multicast = multicast(capable)
    async let publishing = publishing(capable)
    async let senders = senders()
    async let peer = peer()

    InterfaceCheck.judge(
      interfaces, named: configuration.interface?.name, isMulticastWanted: configuration.discovery != nil
    ).forEach(onFinding)
    await firewall.forEach(onFinding)
    await daemon.forEach(onFinding)
    await port.forEach(onFinding)
    await multicast.forEach(onFinding)
    await publishing.forEach(onFinding)
    await senders.forEach(onFinding)
    if configuration.discovery != nil {
      NameServiceCheck.judge(Files.text("/etc/nsswitch.conf")).map(onFinding)
    }
    ClockCheck.judge(isSynchronized: ClockCheck.isSynchronized(), now: UnixTime.now()).map(onFinding)
    await peer.forEach(onFinding)
  }

  private func firewall(_ interfaces: [Interface]) async -> [Finding] {
    let packets = FirewallCheck.packets(
      interfaces, port: configuration.port, ephemeral: FirewallReader.ephemeralPorts(),
      isMulticastWanted: configuration.discovery != nil)
    return FirewallCheck.judge(await FirewallReader.read(), packets)
  }

  private func daemon() async -> [Finding] {
    guard configuration.discovery != nil else { return [] }
    let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    return DaemonCheck.judge(
      await DaemonCheck.gather(bus: address), configuration.needsDaemon ? .required : .optional)
  }

  private func port() async -> [Finding] {
    configuration.discovery == nil ? [] : [PortCheck.judge(await PortCheck.gather())]
  }

  private func multicast(_ interfaces: [Interface]) async -> [Finding] {
    guard configuration.discovery != nil else { return [] }
    return await eachOf(interfaces) { await MulticastCheck.gather($0) }.flatMap(MulticastCheck.judge)
  }

  private func publishing(_ interfaces: [Interface]) async -> [Finding] {
    guard let discovery = configuration.discovery else { return [] }
    let facts = await eachOf(interfaces) { interface -> PublicationCheck.Facts? in
      guard let discovery = await discovery(interface.index) else { return nil }
      return PublicationCheck.Facts(
        interface: interface.name, backend: discovery.backend, outcome: await Publication(discovery: discovery).run())
    }
    return PublicationCheck.judge(facts.compactMap(\.self))
  }

  private func senders() async -> [Finding] {
    guard let discovery = await configuration.discovery?(configuration.interface?.index ?? 0) else { return [] }
    return await SendersCheck.gather(discovery, configuration.serviceType).map(SendersCheck.judge) ?? []
  }

  private func peer() async -> [Finding] {
    guard let peer = configuration.peer else { return [] }
    let probe = PeerProbe(peer: peer, transport: TCPTransport(interface: configuration.interface))
    return PeerCheck.judge(await probe.run(), of: peer, now: UnixTime.now())
  }

  /// All at the same time, in the order of the interfaces.
  private func eachOf<Facts: Sendable>(
    _ interfaces: [Interface], _ gather: @escaping @Sendable (Interface) async -> Facts
  ) async -> [Facts] {
    await withTaskGroup(of: (Int, Facts).self) { group in
      for (number, interface) in interfaces.enumerated() {
        group.addTask { (number, await gather(interface)) }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
