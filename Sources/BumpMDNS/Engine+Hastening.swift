/// A service of another responder on this host, whose announcement is hastened.
struct HastenedService {
  /// What lists it by its type.
  let pointer: Record
  let instance: DomainName
  /// Where the responder has answered for it, and the pointer was announced.
  var links: Set<Link> = []
}

extension Engine {
  /// Has a service found at once that another responder on this host has registered, and that it would announce only
  /// after a while (`Deviation.hastenedAnnouncement`).
  ///
  /// Asks for the SRV and TXT record, which are unique and so answered at once, to all (RFC 6762 §6). Where the responder
  /// answers, the pointer is announced. So nothing is announced on a link that the responder does not use, and nothing
  /// that it could take for a conflict: a pointer is shared, and everything else it says itself (§9).
  ///
  /// After `Timing.handOver` the responder has announced the service itself, and `handedOver` is told.
  ///
  /// - Parameter pointer: a PTR record of the service's type, as the responder has it.
  public mutating func hasten(_ pointer: Record, at now: Moment) -> ServiceID {
    let id = ServiceID(value: draw())
    guard case .ptr(let instance) = pointer.data else { return id }
    hastened[id] = HastenedService(pointer: pointer, instance: instance)
    let question = Message(questions: [Question(instance, .srv), Question(instance, .txt)])
    for link in speakers.keys.sorted(by: Self.inOrder) { send(question.bytes, link, .group, at: now) }
    tasks.add(.handOver(id), at: now + Timing.handOver)
    return id
  }

  /// Leaves a hastened service to its responder: nothing more is said of it here.
  public mutating func handOver(_ id: ServiceID) { hastened[id] = nil }

  /// Takes back what was announced of a service that its responder does not have after all (§10.1).
  mutating func withdrawHastened(_ id: ServiceID, at now: Moment) {
    guard let service = hastened.removeValue(forKey: id) else { return }
    for link in service.links.sorted(by: Self.inOrder) {
      for packet in speakers[link]?.responder.goodbye([service.pointer]) ?? [] { send(packet, link, .group, at: now) }
    }
  }

  /// Announces the pointers to services whose SRV record was heard.
  mutating func announceHastened(_ records: [Record], _ link: Link, at now: Moment) {
    for (id, service) in hastened where !service.links.contains(link) {
      let isAnswered = records.contains {
        $0.name == service.instance && $0.data.type == .srv && $0.timeToLive > 0
      }
      guard isAnswered else { continue }
      hastened[id]?.links.insert(link)
      speakers[link]?.responder.announce([service.pointer], at: now)
    }
  }
}
