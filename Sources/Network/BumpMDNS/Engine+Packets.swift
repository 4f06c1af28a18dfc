extension Engine {
  /// Processes a received packet. Call `advance` afterwards to send what follows: `next` is due at once if it is
  /// urgent.
  public mutating func receive(_ arrival: ReceivedPacket, at now: Moment) {
    guard let state = interfaceStates[arrival.link.interface], linkStates[arrival.link] != nil else { return }
    // A packet to the group is from the link; any other must have a source address on the link (RFC 6762 §11).
    guard arrival.isMulticast || state.interface.isOnLink(arrival.source) else { return }
    let isEcho = isEcho(arrival, at: now)
    if !isEcho { linkStates[arrival.link]?.querier.heard(arrival.bytes) }
    let digest = Self.digest(withoutID: arrival)
    guard !state.cache.isRepeated(digest, at: now) else { return }
    if arrival.port != multicastDNSPort, arrival.port != 0, state.interface.isOnLink(arrival.source),
      let reply = state.zone.reply(toRepeated: digest, id: arrival.bytes.prefix(2))
    {
      return send(reply, arrival.link, .host(arrival.source, port: arrival.port), at: now)
    }
    guard let message = try? Message(arrival.bytes) else { return }
    if message.isResponse {
      respond(message, arrival, isEcho, at: now)
    } else {
      ask(message, arrival, isEcho, at: now)
    }
  }

  // MARK: Questions

  private mutating func ask(_ query: Message, _ arrival: ReceivedPacket, _ isEcho: Bool, at now: Moment) {
    let link = arrival.link
    guard let state = interfaceStates[link.interface], arrival.port != 0 else { return }
    var query = query
    if !state.interface.isOnLink(arrival.source) {
      // What goes to one host must not leave this link (§11): legacy answers, and those by unicast.
      guard arrival.port == multicastDNSPort else { return }
      for index in query.questions.indices { query.questions[index].wantsUnicast = false }
    } else if !arrival.isMulticast {
      // A question to this host alone is answered as one that asks for unicast (§5.5), and others do not know of it.
      for index in query.questions.indices { query.questions[index].wantsUnicast = true }
    }
    if !isEcho { tellOfQuestions(query, link) }
    if arrival.port == multicastDNSPort, !isEcho { overhear(query, link, at: now) }
    let reply = linkStates[link]?.responder.take(query, from: arrival, state.zone, at: now, using: &random)
    guard let reply else { return }
    send(reply, link, .host(arrival.source, port: arrival.port), at: now)
    if arrival.port != multicastDNSPort {
      interfaceStates[link.interface]?.zone.remember(reply: reply, to: Self.digest(withoutID: arrival))
    }
  }

  /// Tells the operations that overhear one of another host's questions, each once a packet.
  private mutating func tellOfQuestions(_ query: Message, _ link: Link) {
    let ids = operations.filter { _, operation in
      guard case .overhear(let name, _) = operation, operation.concerns(link.interface) else { return false }
      return query.questions.contains { $0.key == RecordKey(name: name, type: .ptr) }
    }
    events += ids.keys.sorted { $0.value < $1.value }.map { .asked($0) }
  }

  /// Processes another host's questions for records that are wanted here too, each once: a packet may repeat a question
  /// hundreds of times.
  private mutating func overhear(_ query: Message, _ link: Link, at now: Moment) {
    guard let state = interfaceStates[link.interface] else { return }
    var once: Set<Question> = []
    let questions = query.questions.filter { state.wanted[$0.key] != nil && once.insert($0).inserted }
    guard !questions.isEmpty else { return }
    let known = Dictionary(grouping: query.answers, by: \.key)
    for question in questions {
      // Whether an answer to the question would have the records that we do not know (§7.3).
      let isAsGood = { (known[question.key] ?? []).allSatisfy(state.cache.contains) }
      linkStates[link]?.querier.hear(
        question, isTruncated: query.isTruncated, isAsGood: isAsGood(), at: now, using: &random)
    }
    for question in questions where !query.isTruncated && !question.wantsUnicast && known[question.key] == nil {
      observe(question.key, link, at: now)
    }
  }

  /// Passive observation of failures (§10.5): a record is in doubt if other hosts asked for it twice and it was not
  /// received since a second before the first question. Within that second its responder need not have repeated it
  /// (§6).
  private mutating func observe(_ key: RecordKey, _ link: Link, at now: Moment) {
    let last = interfaceStates[link.interface]?.askedByOthers[key]
    // At most once a second: the same question may come by IPv4 and IPv6, or in a flood.
    guard last.map({ now - $0 > Timing.multicastInterval }) ?? true else { return }
    interfaceStates[link.interface]?.askedByOthers[key] = now
    guard let last,
      interfaceStates[link.interface]?.cache.doubt(key, unheardSince: last - Timing.multicastInterval, at: now) == true
    else { return }
    for link in links(of: link.interface) { linkStates[link]?.querier.renew(key, at: now) }
  }

  // MARK: Answers

  private mutating func respond(_ response: Message, _ arrival: ReceivedPacket, _ isEcho: Bool, at now: Moment) {
    // Only responders send from port 5353 (§6).
    guard arrival.port == multicastDNSPort else { return }
    let (link, records) = (arrival.link, response.answers + response.additionals)
    if !arrival.isMulticast {
      // A unicast answer must be to one of our questions (§11).
      guard linkStates[link]?.querier.expects(response.id, at: now) == true else { return }
    } else if !isEcho {
      for record in records { compare(record, link, at: now) }
    }
    if arrival.isMulticast { announceAnswered(records, link, at: now) }
    if !arrival.isMulticast, response.isTruncated { askAll(response.questions, link.interface, at: now) }
    let isWhole = learn(records, link.interface, isBrief: !arrival.isMulticast, at: now)
    // A packet about our own records is processed on each link.
    guard isWhole, announcedEarly.isEmpty, let zone = interfaceStates[link.interface]?.zone,
      records.allSatisfy({ zone.own($0.name).isEmpty })
    else { return }
    interfaceStates[link.interface]?.cache.remember(answer: Self.digest(withoutID: arrival), at: now)
  }

  /// Asks for what did not fit into a unicast answer: multicast answers come in as many packets as needed.
  private mutating func askAll(_ questions: [Question], _ index: UInt32, at now: Moment) {
    for link in links(of: index) {
      for question in questions { linkStates[link]?.querier.askAll(question.key, at: now) }
    }
  }

  /// Returns a digest of the packet without the message id: the packets of one answer differ in the id of each link's
  /// question, and the same question of several hosts differs in each host's id.
  private static func digest(withoutID arrival: ReceivedPacket) -> Int { digest(of: arrival.bytes, from: 2) }

  /// Compares a received record with this host's own: the same record suppresses an answer, another one is a conflict.
  private mutating func compare(_ record: Record, _ link: Link, at now: Moment) {
    guard let own = interfaceStates[link.interface]?.zone.own(record.name), !own.isEmpty else { return }
    if let ours = own.first(where: { $0.record.data == record.data }) {
      linkStates[link]?.responder.hear(record, ofOurs: ours.record, at: now)
      return
    }
    guard record.timeToLive > 0,
      let rival = own.first(where: { $0.isUnique && $0.record.data.type == record.data.type }),
      // A reflector may repeat this host's records of another interface.
      !interfaceStates.values.contains(where: { $0.zone.own(record.name).contains { $0.record.data == record.data } })
    else { return }
    withdraw(rival.owner, at: now)
    events.append(.conflict(rival.owner))
  }

  /// Caches the received records that an operation needs.
  ///
  /// - Returns: whether all of them are cached now.
  private mutating func learn(_ records: [Record], _ index: UInt32, isBrief: Bool, at now: Moment) -> Bool {
    guard var state = interfaceStates.removeValue(forKey: index) else { return false }
    // Pointers and SRV records first: they decide which other records are needed.
    let types: [RecordType] = [.ptr, .srv, .txt, .a, .aaaa, .nsec]
    let inOrder = records.filter { types.contains($0.data.type) }
      .sorted { rank($0.data.type, types) < rank($1.data.type, types) }
    var flushed: Set<RecordKey> = []
    var kept = 0
    for record in inOrder where state.wants(record) {
      kept += record.timeToLive > 0 ? 1 : 0
      if record.flushesCache, !isBrief, flushed.insert(record.key).inserted { state.cache.flush(record.key, at: now) }
      state.cache.insert(record, at: now, isBrief: isBrief, using: &random)
    }
    interfaceStates[index] = state
    digest(index, at: now)
    return kept == records.count
  }

  private func rank(_ type: RecordType, _ types: [RecordType]) -> Int { types.firstIndex(of: type) ?? types.count }
}

extension Engine.InterfaceState {
  /// Returns whether to cache a record: it is cached or wanted already, or belongs to an instance or host that is.
  fileprivate func wants(_ record: Record) -> Bool {
    if wanted.isEmpty { return cache.contains(record) }
    let (name, type) = (record.name, record.data.type)
    if wanted[record.key] != nil || cache.contains(record) { return true }
    switch type {
    case .srv, .txt:
      return name.parent.map { wanted[RecordKey(name: $0, type: .ptr)] != nil } ?? false || cache.isListed(name)
    case .a, .aaaa: return cache.isTarget(name)
    case .nsec:
      return cache.isTarget(name) || wanted[RecordKey(name: name, type: .aaaa)] != nil
        || wanted[RecordKey(name: name, type: .a)] != nil
    default: return false
    }
  }
}
