/// A multicast DNS responder and querier (RFC 6762) for DNS-SD (RFC 6763) as a state machine, which takes packets and
/// times and returns packets and events. It has no sockets, clock or source of randomness.
///
/// IPv4 and IPv6 of an interface share a cache; each link has its own schedule of questions and answers. Other hosts
/// can fill only bounded memory: `memoryLimit` for records, and a few dozen entries of everything else.
public struct Engine {
  /// The state of one interface.
  struct InterfaceState {
    var interface: Interface
    var cache: Cache
    var zone = Zone()
    /// The number of operations that want each question.
    var wanted: [RecordKey: Int] = [:]
    /// When other hosts last asked a wanted question without known answers (§10.5).
    var askedByOthers: [RecordKey: Moment] = [:]
  }

  /// The state of one link.
  struct LinkState {
    var querier = Querier()
    var responder = Responder()
  }

  /// A task that the engine carries out at a time.
  enum ScheduledTask {
    case announce(ServiceID, interface: UInt32, times: Int)
    case handOver(ServiceID)
  }

  /// The memory limit for received records, in bytes. One interface may use half of it.
  public static let memoryLimit = 32 << 20

  var interfaceStates: [UInt32: InterfaceState] = [:]
  var linkStates: [Link: LinkState] = [:]
  var random: any RandomNumberGenerator
  var operations: [OperationID: Operation] = [:]
  /// The operations that need to know of changes to a record set.
  var interested: [RecordKey: Set<OperationID>] = [:]
  var services: [ServiceID: PublishedService] = [:]
  var announcedEarly: [ServiceID: EarlyAnnouncedService] = [:]
  var tasks = TimerQueue<ScheduledTask>()
  var echoes: [Int: Moment] = [:]
  var counter: UInt64 = 0
  private var transmissions: [OutgoingPacket] = []
  var events: [Event] = []

  /// Makes an engine without interfaces.
  ///
  /// - Parameter random: used for jitter, host names and message ids.
  public init(random: any RandomNumberGenerator) { self.random = random }

  // MARK: Output

  /// When `advance` must be called next; `nil` while nothing is scheduled.
  public var next: Moment? {
    var next = tasks.next
    func take(_ moment: Moment?) {
      if let moment, next.map({ moment < $0 }) ?? true { next = moment }
    }
    for state in interfaceStates.values { take(state.cache.next) }
    for state in linkStates.values {
      take(state.querier.next)
      take(state.responder.next)
    }
    return next
  }

  /// Removes and returns the packets to send, in order.
  public mutating func takeTransmissions() -> [OutgoingPacket] {
    defer { transmissions = [] }
    return transmissions
  }

  /// Removes and returns the events since the last call, in order.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// The number of cached records, and the approximate number of bytes that they take.
  public var memory: (records: Int, bytes: Int) {
    interfaceStates.values.reduce(into: (0, 0)) { sum, state in
      sum.0 += state.cache.count
      sum.1 += state.cache.size
    }
  }

  mutating func send(_ bytes: [UInt8], _ link: Link, _ destination: OutgoingPacket.Destination, at now: Moment) {
    remember(bytes, at: now)
    transmissions.append(OutgoingPacket(bytes: bytes, link: link, destination: destination))
  }

  // MARK: Our own packets

  /// Remembers a sent packet: it comes back on every interface of the same network.
  private mutating func remember(_ bytes: [UInt8], at now: Moment) {
    if echoes.count >= 256 { echoes = echoes.filter { $0.value > now } }
    echoes[Self.digest(of: bytes)] = now + Timing.echo
  }

  static func digest(of bytes: [UInt8], from start: Int = 0) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.dropFirst(start))) }
    return hasher.finalize()
  }

  /// Returns whether a packet is one of ours that came back. The source address and port do not decide, since other
  /// processes on this host have the same.
  func isEcho(_ arrival: ReceivedPacket, at now: Moment) -> Bool {
    // Almost all packets are from other hosts, as their addresses show at once.
    guard interfaceStates.values.contains(where: { $0.interface.addresses.contains { $0.bytes == arrival.source } }),
      let end = echoes[Self.digest(of: arrival.bytes)]
    else { return false }
    return end > now
  }

  // MARK: Time

  /// Does everything that is due at `now`.
  public mutating func advance(to now: Moment) {
    while let (_, task) = tasks.popDue(at: now) {
      switch task {
      case .announce(let id, let interface, let times): announce(id, on: interface, times: times, at: now)
      case .handOver(let id):
        guard announcedEarly[id] != nil else { break }
        handOver(id)
        events.append(.handedOver(id))
      }
    }
    for index in Array(interfaceStates.keys) { advance(index, to: now) }
    for link in linkStates.keys.sorted(by: Self.inOrder) { speak(link, at: now) }
  }

  private mutating func advance(_ index: UInt32, to now: Moment) {
    guard let moment = interfaceStates[index]?.cache.next, moment <= now else { return }
    let due = interfaceStates[index]?.cache.advance(to: now, using: &random) ?? []
    for key in due where interfaceStates[index]?.wanted[key] != nil {
      for link in links(of: index) { linkStates[link]?.querier.refresh(key, at: now) }
    }
    digest(index, at: now)
  }

  /// Sends the questions and answers that are due on one link.
  private mutating func speak(_ link: Link, at now: Moment) {
    guard let state = interfaceStates[link.interface] else { return }
    let due = (linkStates[link]?.querier.takeDue(at: now) ?? []).filter {
      !state.cache.isComplete($0.key) && !state.cache.denies($0.key, at: now)
        && !($0.isOptional && state.cache.knows($0.key))
    }
    let forAll = Queries.packets(
      due.filter(\.isForAll).map(\.key), known: { state.cache.knownAnswers($0, at: now, atMost: $1) })
    for packet in forAll { send(packet, link, .group, at: now) }
    let direct = Queries.packets(
      due.filter { $0.isDirect && !state.cache.knows($0.key) }.map(\.key),
      id: { linkStates[link]?.querier.draw(at: now, using: &random) ?? 0 })
    for packet in direct { send(packet, link, .groupFromOwnPort, at: now) }
    linkStates[link]?.querier.sent(forAll + direct, at: now)
    for packet in linkStates[link]?.responder.packets(state.zone, at: now) ?? [] {
      send(packet, link, .group, at: now)
    }
  }

  func links(of index: UInt32) -> [Link] {
    Family.allCases.map { Link(interface: index, family: $0) }.filter { linkStates[$0] != nil }
  }

  static func inOrder(_ left: Link, _ right: Link) -> Bool {
    (left.interface, left.family == .ipv4 ? 0 : 1) < (right.interface, right.family == .ipv4 ? 0 : 1)
  }

  mutating func draw() -> UInt64 {
    counter += 1
    return counter
  }
}
