/// Why a service could not be published.
public enum PublishError: Error, Hashable, Sendable {
  /// The instance name is not a label of 1 to 63 bytes, or too long with its type.
  case badName
  /// This engine already publishes a service with that name.
  case nameTaken
}

extension Engine {
  /// Publishes a service without probing (`Deviation.unprobedNames`), on one interface or, with 0, on all.
  ///
  /// The service is announced twice (RFC 6762 §8.3), and again on each new interface.
  ///
  /// - Throws: `badName`, `nameTaken`.
  public mutating func publish(_ service: Service, interface: UInt32 = 0, at now: Moment) throws(PublishError)
    -> ServiceID
  {
    let id = ServiceID(value: draw())
    guard let host = service.host ?? PublishedService.randomHost(using: &random),
      let publication = PublishedService(service, id: id, interface: interface, host: host)
    else { throw .badName }
    guard !services.values.contains(where: { $0.name == publication.name }) else { throw .nameTaken }
    services[id] = publication
    for index in interfaceStates.keys.sorted() { begin(publication, on: index, at: now) }
    return id
  }

  /// Withdraws a service: the next transmissions are its goodbyes (§10.1).
  public mutating func withdraw(_ id: ServiceID, at now: Moment) {
    withdrawEarly(id, at: now)
    guard let publication = services.removeValue(forKey: id) else { return }
    for index in interfaceStates.keys.sorted() { end(publication, on: index, at: now) }
  }

  // MARK: On one interface

  mutating func begin(_ publication: PublishedService, on index: UInt32, at now: Moment) {
    guard let interface = interfaceStates[index]?.interface, publication.concerns(index) else { return }
    interfaceStates[index]?.zone.add(publication.records(interface.published))
    announce(publication.id, on: index, times: Timing.announcements, at: now)
  }

  private mutating func end(_ publication: PublishedService, on index: UInt32, at now: Moment) {
    guard let interface = interfaceStates[index]?.interface, publication.concerns(index) else { return }
    let gone = interfaceStates[index]?.zone.remove(publication.id, publication.records(interface.published)) ?? []
    goodbye(gone, on: index, at: now)
  }

  mutating func goodbye(_ records: [Record], on index: UInt32, at now: Moment) {
    for link in links(of: index) {
      for packet in linkStates[link]?.responder.goodbye(records) ?? [] { send(packet, link, .group, at: now) }
    }
  }

  mutating func announce(_ id: ServiceID, on index: UInt32, times: Int, at now: Moment) {
    guard let publication = services[id], let interface = interfaceStates[index]?.interface else { return }
    let records = publication.records(interface.published).map(\.record)
    for link in links(of: index) { linkStates[link]?.responder.announce(records, at: now) }
    if times > 1 {
      tasks.add(.announce(id, interface: index, times: times - 1), at: now + Timing.announcementInterval)
    }
  }
}
