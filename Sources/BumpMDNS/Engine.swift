/// A whole multicast DNS responder and querier (RFC 6762) for DNS-SD (RFC 6763), without sockets, clock or chance of its
/// own: packets and moments go in, packets and events come out.
///
/// IPv4 and IPv6 of an interface share what is known; what is asked and answered when is each link's own. All that
/// strangers can fill is bounded: `memoryLimit` for records, a few dozen of everything else.
public struct Engine {
  /// What belongs to one interface.
  struct Place {
    var interface: Interface
    var cache: Cache
    var zone = Zone()
    /// By question how many operations want it.
    var wanted: [RecordKey: Int] = [:]
    /// When others last asked for what is wanted, and let on that they know nothing of it (§10.5).
    var askedByOthers: [RecordKey: Moment] = [:]
  }

  /// What belongs to one link.
  struct Speaker {
    var querier = Querier()
    var responder = Responder()
  }

  enum Task {
    case announce(ServiceID, interface: UInt32, times: Int)
    case handOver(ServiceID)
  }

  /// About how many bytes all records of strangers take at most. Half of it is any interface's share at most.
  public static let memoryLimit = 32 << 20

  var places: [UInt32: Place] = [:]
  var speakers: [Link: Speaker] = [:]
  var random: any RandomNumberGenerator
  var operations: [OperationID: Operation] = [:]
  /// Which operations a change of these records concerns.
  var interested: [RecordKey: Set<OperationID>] = [:]
  var services: [ServiceID: Publication] = [:]
  var hastened: [ServiceID: HastenedService] = [:]
  var tasks = Agenda<Task>()
  var echoes: [Int: Moment] = [:]
  var counter: UInt64 = 0
  private var transmissions: [Transmission] = []
  var events: [Event] = []

  /// - Parameter random: jitter, names and numbers.
  public init(random: any RandomNumberGenerator) { self.random = random }

  // MARK: Out

  /// When `advance` is to be called next; `nil` for when something else happens first.
  public var next: Moment? {
    var next = tasks.next
    func take(_ moment: Moment?) {
      if let moment, next.map({ moment < $0 }) ?? true { next = moment }
    }
    for place in places.values { take(place.cache.next) }
    for speaker in speakers.values {
      take(speaker.querier.next)
      take(speaker.responder.next)
    }
    return next
  }

  /// What is to be sent, in this order.
  public mutating func takeTransmissions() -> [Transmission] {
    defer { transmissions = [] }
    return transmissions
  }

  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// How many records are known, and about how many bytes they take.
  public var memory: (records: Int, bytes: Int) {
    places.values.reduce(into: (0, 0)) { sum, place in
      sum.0 += place.cache.count
      sum.1 += place.cache.size
    }
  }

  mutating func send(_ bytes: [UInt8], _ link: Link, _ destination: Transmission.Destination, at now: Moment) {
    if destination != .groupFromOwnPort { remember(bytes, at: now) }
    transmissions.append(Transmission(bytes: bytes, link: link, destination: destination))
  }

  // MARK: Our own packets

  /// What is sent to a group comes back, on every interface of the network.
  private mutating func remember(_ bytes: [UInt8], at now: Moment) {
    if echoes.count >= 256 { echoes = echoes.filter { $0.value > now } }
    echoes[bytes.hashValue] = now + Timing.echo
  }

  /// Whether a packet is one of ours that comes back. Others on this host have the same addresses and the same port.
  func isEcho(_ arrival: Arrival, at now: Moment) -> Bool {
    guard let end = echoes[arrival.bytes.hashValue], end > now else { return false }
    return places.values.contains { $0.interface.addresses.contains { $0.bytes == arrival.source } }
  }

  // MARK: Time

  /// Does what is due.
  public mutating func advance(to now: Moment) {
    while let (_, task) = tasks.popDue(at: now) {
      switch task {
      case .announce(let id, let interface, let times): announce(id, on: interface, times: times, at: now)
      case .handOver(let id):
        guard hastened[id] != nil else { break }
        handOver(id)
        events.append(.handedOver(id))
      }
    }
    for index in Array(places.keys) { advance(index, to: now) }
    for link in speakers.keys.sorted(by: Self.inOrder) { speak(link, at: now) }
  }

  private mutating func advance(_ index: UInt32, to now: Moment) {
    guard let moment = places[index]?.cache.next, moment <= now else { return }
    let due = places[index]?.cache.advance(to: now, using: &random) ?? []
    for key in due where places[index]?.wanted[key] != nil {
      for link in links(of: index) { speakers[link]?.querier.renew(key, at: now) }
    }
    digest(index, at: now)
  }

  /// Asks and answers what is due on one link.
  private mutating func speak(_ link: Link, at now: Moment) {
    guard let place = places[link.interface] else { return }
    let due = (speakers[link]?.querier.takeDue(at: now) ?? []).filter { !place.cache.denies($0.key, at: now) }
    for packet in Queries.packets(
      due.map(\.key), known: { place.cache.knownAnswers($0, at: now, atMost: $1) })
    {
      send(packet, link, .group, at: now)
    }
    let direct = due.filter(\.isDirect).map { Question($0.key) }
    // As many as fit into a packet with names of any length.
    for start in stride(from: 0, to: direct.count, by: 5) {
      var message = Message(questions: Array(direct[start..<min(start + 5, direct.count)]))
      message.id = speakers[link]?.querier.draw(at: now, using: &random) ?? 0
      send(message.bytes, link, .groupFromOwnPort, at: now)
    }
    for packet in speakers[link]?.responder.packets(place.zone, at: now) ?? [] {
      send(packet, link, .group, at: now)
    }
  }

  func links(of index: UInt32) -> [Link] {
    Family.allCases.map { Link(interface: index, family: $0) }.filter { speakers[$0] != nil }
  }

  static func inOrder(_ left: Link, _ right: Link) -> Bool {
    (left.interface, left.family == .ipv4 ? 0 : 1) < (right.interface, right.family == .ipv4 ? 0 : 1)
  }

  mutating func draw() -> UInt64 {
    counter += 1
    return counter
  }
}
