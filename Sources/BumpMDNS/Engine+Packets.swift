extension Engine {
  /// Takes a packet that came. What it sets off is done by `advance`, which is due at once where it is urgent.
  public mutating func receive(_ arrival: Arrival, at now: Moment) {
    guard let interface = places[arrival.link.interface]?.interface, speakers[arrival.link] != nil else { return }
    guard let message = try? Message(arrival.bytes) else { return }
    // What comes to the group comes from the link; all else must be from an address of the link (RFC 6762 §11).
    guard arrival.isMulticast || interface.isOnLink(arrival.source) else { return }
    if message.isResponse { respond(message, arrival, at: now) } else { ask(message, arrival, at: now) }
  }

  // MARK: Questions

  private mutating func ask(_ query: Message, _ arrival: Arrival, at now: Moment) {
    let link = arrival.link
    guard let place = places[link.interface], arrival.port != 0 else { return }
    // The answer goes to one host: of this link only (§11).
    guard arrival.port == multicastDNSPort || place.interface.isOnLink(arrival.source) else { return }
    if arrival.port == multicastDNSPort, !isEcho(arrival, at: now) {
      for question in query.questions where isCovered(question, by: query, place.cache) {
        speakers[link]?.querier.hear(question, at: now)
      }
      observe(query, link, at: now)
    }
    let reply = speakers[link]?.responder.take(query, from: arrival, place.zone, at: now, using: &random)
    if let reply { send(reply, link, .host(arrival.source, port: arrival.port), at: now) }
  }

  /// Whether whoever answers that question tells us what we do not know (§7.3).
  private func isCovered(_ question: Question, by query: Message, _ cache: Cache) -> Bool {
    !query.isTruncated && query.answers.allSatisfy { $0.key != question.key || cache.contains($0) }
  }

  /// Passive observation of failures (§10.5): what others asked for twice, and nobody has spoken for since a second before
  /// the first time, when it need not have been repeated (§6), is in doubt, and asked for.
  private mutating func observe(_ query: Message, _ link: Link, at now: Moment) {
    guard !query.isTruncated, let place = places[link.interface] else { return }
    for question in query.questions {
      let key = question.key
      guard place.wanted[key] != nil, !question.wantsUnicast, !query.answers.contains(where: { $0.key == key }) else {
        continue
      }
      let last = place.askedByOthers[key]
      // By IPv4 and IPv6 it comes twice, and what a flood asks is looked at once a second.
      guard last.map({ now - $0 > Timing.multicastInterval }) ?? true else { continue }
      places[link.interface]?.askedByOthers[key] = now
      guard let last,
        places[link.interface]?.cache.doubt(key, unheardSince: last - Timing.multicastInterval, at: now) == true
      else { continue }
      for link in links(of: link.interface) { speakers[link]?.querier.renew(key, at: now) }
    }
  }

  // MARK: Answers

  private mutating func respond(_ response: Message, _ arrival: Arrival, at now: Moment) {
    // Others than responders cannot send from their port (§6).
    guard arrival.port == multicastDNSPort else { return }
    let link = arrival.link
    if !arrival.isMulticast {
      // Nobody tells us alone what we have not asked (§11).
      guard speakers[link]?.querier.expects(response.id, at: now) == true else { return }
    } else if !isEcho(arrival, at: now) {
      for record in response.answers + response.additionals { compare(record, link, at: now) }
    }
    if arrival.isMulticast { announceHastened(response.answers + response.additionals, link, at: now) }
    learn(response.answers + response.additionals, link.interface, isBrief: !arrival.isMulticast, at: now)
  }

  /// Holds a stranger's record against ours.
  private mutating func compare(_ record: Record, _ link: Link, at now: Moment) {
    guard let own = places[link.interface]?.zone.own(record.name), !own.isEmpty else { return }
    if let ours = own.first(where: { $0.record.data == record.data }) {
      speakers[link]?.responder.hear(record, ofOurs: ours.record, at: now)
      return
    }
    guard record.timeToLive > 0,
      let rival = own.first(where: { $0.isUnique && $0.record.data.type == record.data.type }),
      // A reflector brings what we say elsewhere.
      !places.values.contains(where: { $0.zone.own(record.name).contains { $0.record.data == record.data } })
    else { return }
    withdraw(rival.owner, at: now)
    events.append(.conflict(rival.owner))
  }

  /// Takes records into what is known, as far as somebody asks for them.
  private mutating func learn(_ records: [Record], _ index: UInt32, isBrief: Bool, at now: Moment) {
    guard var place = places.removeValue(forKey: index) else { return }
    // Who is interesting follows from pointers and SRV records.
    let types: [RecordType] = [.ptr, .srv, .txt, .a, .aaaa, .nsec]
    let inOrder = records.filter { types.contains($0.data.type) }
      .sorted { rank($0.data.type, types) < rank($1.data.type, types) }
    var flushed: Set<RecordKey> = []
    for record in inOrder where place.wants(record) {
      if record.flushesCache, !isBrief, flushed.insert(record.key).inserted { place.cache.flush(record.key, at: now) }
      place.cache.insert(record, at: now, isBrief: isBrief, using: &random)
    }
    places[index] = place
    digest(index, at: now)
  }

  private func rank(_ type: RecordType, _ types: [RecordType]) -> Int { types.firstIndex(of: type) ?? types.count }
}

extension Engine.Place {
  /// Whether a record is worth keeping: it is known, or asked for, or belongs to an instance or host that is.
  fileprivate func wants(_ record: Record) -> Bool {
    if wanted.isEmpty { return cache.contains(record) }
    let (name, type) = (record.name, record.data.type)
    if wanted[record.key] != nil || cache.contains(record) { return true }
    switch type {
    case .srv, .txt: return name.parent.map { wanted[RecordKey(name: $0, type: .ptr)] != nil } ?? false
    case .a, .aaaa: return cache.isTarget(name)
    case .nsec:
      return cache.isTarget(name) || wanted[RecordKey(name: name, type: .aaaa)] != nil
        || wanted[RecordKey(name: name, type: .a)] != nil
    default: return false
    }
  }
}
