/// A service of another responder on this host that this stack announces earlier than the responder does.
struct EarlyAnnouncedService {
  /// The PTR records that list the service by its type and its subtypes.
  let pointers: [Record]
  let instance: DomainName
  /// The links on which the responder has answered and the pointers were announced.
  var links: Set<Link> = []
}

extension Engine {
  /// Announces a service that another responder on this host has registered, and would itself announce later
  /// (`Deviation.earlyAnnouncement`).
  ///
  /// The engine asks for the SRV and TXT records, which are unique and so answered at once by multicast (RFC 6762 §6).
  /// On each link where the responder answers, the engine announces the pointers. The responder sees no conflict: the
  /// pointers are shared records, and it sends all others itself (§9).
  ///
  /// After the hand-over time the responder has announced the service itself, and the engine emits `handedOver`.
  ///
  /// - Parameters:
  ///   - pointers: the PTR records of the service, identical to the responder's: that of its type first, then those of
  ///     its subtypes.
  ///   - handOver: the hand-over time.
  public mutating func announceEarly(
    _ pointers: [Record], at now: Moment, handOver: Duration = Timing.handOver
  ) -> ServiceID {
    let id = ServiceID(value: draw())
    guard case .ptr(let instance)? = pointers.first?.data else { return id }
    announcedEarly[id] = EarlyAnnouncedService(pointers: pointers, instance: instance)
    let question = Message(questions: [Question(instance, .srv), Question(instance, .txt)])
    for link in linkStates.keys.sorted(by: Self.inOrder) { send(question.bytes, link, .group, at: now) }
    tasks.add(.handOver(id), at: now + handOver)
    return id
  }

  /// Stops announcing a service that is announced early; its responder keeps it.
  public mutating func handOver(_ id: ServiceID) { announcedEarly[id] = nil }

  /// Withdraws the pointers of a service that its responder failed to register, or died with (§10.1).
  ///
  /// On every link: a responder that died may have announced them where this engine had not yet heard its answer.
  mutating func withdrawEarly(_ id: ServiceID, at now: Moment) {
    guard let service = announcedEarly.removeValue(forKey: id) else { return }
    for link in linkStates.keys.sorted(by: Self.inOrder) {
      let goodbye = linkStates[link]?.responder.goodbye(service.pointers, isOfAnother: true) ?? []
      for packet in goodbye { send(packet, link, .group, at: now) }
    }
  }

  /// Announces the pointers to services that are announced early whose SRV record was received.
  mutating func announceAnswered(_ records: [Record], _ link: Link, at now: Moment) {
    for (id, service) in announcedEarly where !service.links.contains(link) {
      let isAnswered = records.contains {
        $0.name == service.instance && $0.data.type == .srv && $0.timeToLive > 0
      }
      guard isAnswered else { continue }
      announcedEarly[id]?.links.insert(link)
      linkStates[link]?.responder.announce(service.pointers, at: now)
    }
  }
}
