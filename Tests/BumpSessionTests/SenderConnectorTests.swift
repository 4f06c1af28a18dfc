import BumpDiscovery
import Measures
import NIOCore
import Testing

@testable import BumpSession

@Suite struct SenderConnectorTests {
  private var connector = SenderConnector()

  private func instance(_ name: String, interface: UInt32 = 1) -> ServiceInstance {
    ServiceInstance(name: name, type: "_irl-bump._tcp", interface: interface)
  }

  private func endpoint(_ port: Int) throws -> Endpoint {
    .address(try SocketAddress(ipAddress: "192.0.2.1", port: port))
  }

  /// Which connections were asked for, and to which port.
  private func connects(_ outputs: [SenderConnector.Output]) -> [(ConnectionID, Int)] {
    outputs.compactMap {
      guard case .connect(let id, .address(let address)) = $0 else { return nil }
      return (id, address.port ?? 0)
    }
  }

  private func unwrapped<Value>(_ value: Value?) throws -> Value { try #require(value) }

  private mutating func connected(
    _ id: ConnectionID, at now: Moment
  ) -> (SenderConnector.SenderID, [SenderConnector.Output])? {
    connector.connected(id, at: now)
  }

  @Test mutating func `what is found is resolved, and what is resolved is connected to at once`() throws {
    let (isNew, outputs) = connector.found(instance("a"), at: .zero)
    #expect(isNew)
    #expect(outputs == [.resolve(.instance("a"), instance("a"))])
    let connecting = connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero)
    #expect(connects(connecting).map(\.1) == [1])
    let (sender, after) = try unwrapped(connected(connects(connecting)[0].0, at: .zero))
    #expect(sender == .instance("a"))
    #expect(after == [.stopResolving(.instance("a"))])
  }

  @Test mutating func `an instance on two interfaces is one sender with two ways`() {
    _ = connector.found(instance("a"), at: .zero)
    let (isNew, outputs) = connector.found(instance("a", interface: 2), at: .zero)
    #expect(!isNew)
    #expect(outputs == [.resolve(.instance("a"), instance("a", interface: 2))])
    let again = connector.found(instance("a"), at: .zero)
    #expect(!again.isNew && again.1.isEmpty)
  }

  private static let comings = Measure.isThorough ? 100_000 : 5000

  /// Nothing of a sender may be left once it is lost: somebody may announce and withdraw names for as long as
  /// `receive --keep` runs.
  @Test(arguments: [1, comings])
  func `senders that come and go leave nothing behind in a search of hours`(names: Int) throws {
    var connector = SenderConnector(isLong: true)
    for number in 1...SenderConnector.maximumResolving { _ = connector.found(instance("silent\(number)"), at: .zero) }
    for number in 0..<Self.comings {
      _ = connector.found(instance("forged\(number % names)"), at: .zero)
      _ = connector.lost(instance("forged\(number % names)"), at: .zero)
      guard connector.schedule.waitingCount <= 200 else { break }
    }
    #expect(connector.schedule.waitingCount <= 200)
    _ = connector.found(instance("alice"), at: .milliseconds(1))
    let now = try #require(connector.deadline)
    #expect(connector.deadlinePassed(at: now).contains(.resolve(.instance("alice"), instance("alice"))))
  }

  @Test mutating func `addresses are tried staggered, a quarter of a second apart`() throws {
    _ = connector.found(instance("a"), at: .zero)
    #expect(connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero)).count == 1)
    #expect(connects(connector.resolved(.instance("a"), try endpoint(2), .onLink, at: .milliseconds(10))).isEmpty)
    #expect(connector.deadline == .milliseconds(250))
    #expect(connects(connector.deadlinePassed(at: .milliseconds(250))).map(\.1) == [2])
  }

  @Test mutating func `of the addresses that wait for their turn the likeliest is next`() throws {
    _ = connector.found(instance("a"), at: .zero)
    #expect(connects(connector.resolved(.instance("a"), try endpoint(1), .own, at: .zero)).map(\.1) == [1])
    for (port, likelihood) in [(2, .own), (3, .onLink), (4, .own), (5, .onLink)]
      as [(Int, LocalNetworks.Likelihood)]
    { _ = connector.resolved(.instance("a"), try endpoint(port), likelihood, at: .zero) }
    var tried: [Int] = []
    for turn in 1...4 { tried += connects(connector.deadlinePassed(at: .milliseconds(250 * turn))).map(\.1) }
    #expect(tried == [3, 5, 2, 4])
  }

  @Test mutating func `an address that fails gives way to the next at once`() throws {
    _ = connector.found(instance("a"), at: .zero)
    let first = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero))
    _ = connector.resolved(.instance("a"), try endpoint(2), .onLink, at: .milliseconds(10))
    #expect(connects(connector.connectFailed(first[0].0, .refused, at: .milliseconds(20))).map(\.1) == [2])
  }

  @Test mutating func `once one address connects the other tries are given up`() throws {
    _ = connector.found(instance("a"), at: .zero)
    let first = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero))
    _ = connector.resolved(.instance("a"), try endpoint(2), .onLink, at: .zero)
    let second = connects(connector.deadlinePassed(at: .milliseconds(250)))
    let (_, outputs) = try unwrapped(connected(second[0].0, at: .milliseconds(260)))
    #expect(outputs.contains(.cancelConnecting(first[0].0)))
    let late = connected(first[0].0, at: .milliseconds(270))
    #expect(late?.0 == nil, "too late")
  }

  @Test
  mutating func
    `at most sixty-four are resolved at once, then by turns the last and the first, each in its short turn`()
  {
    var resolving: [SenderConnector.Output] = []
    for number in 1...72 { resolving += connector.found(instance("\(number)"), at: .zero).1 }
    #expect(resolving.count == 64)
    let first = resolving.compactMap { if case .resolve(_, let instance) = $0 { instance.name } else { nil } }
    #expect(first == (1...64).map(String.init), "each was the newest when it was found")
    let next = connector.deadlinePassed(at: .milliseconds(500))
    let resolved = next.compactMap { if case .resolve(_, let instance) = $0 { instance.name } else { nil } }
    #expect(resolved == ["72", "65", "71", "66", "70", "67", "69", "68"])
  }

  @Test mutating func `an answer that comes after its turn is heard`() throws {
    _ = connector.found(instance("a"), at: .zero)
    #expect(connector.deadlinePassed(at: .milliseconds(500)).isEmpty)
    let connecting = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .milliseconds(600)))
    #expect(connecting.map(\.1) == [1])
    // It stands where any other does: whoever hangs makes room.
    #expect(connector.deadlinePassed(at: .milliseconds(2600)).contains(.cancelConnecting(connecting[0].0)))
  }

  @Test mutating func `who is not answered for is asked about anew`() throws {
    _ = connector.found(instance("a"), at: .zero)
    _ = connector.deadlinePassed(at: .milliseconds(500))
    let again = connector.deadlinePassed(at: try #require(connector.deadline))
    #expect(again == [.stopResolving(.instance("a")), .resolve(.instance("a"), instance("a"))])
  }

  @Test mutating func `who goes away unanswered is asked about no more`() throws {
    _ = connector.found(instance("a"), at: .zero)
    _ = connector.deadlinePassed(at: .milliseconds(500))
    #expect(connector.lost(instance("a"), at: .milliseconds(600)) == [.stopResolving(.instance("a"))])
  }

  @Test mutating func `at most half a thousand are asked about at once`() {
    var open: Set<SenderConnector.SenderID> = []
    var most = 0
    func note(_ outputs: [SenderConnector.Output]) {
      for output in outputs {
        switch output {
        case .resolve(let id, _): open.insert(id)
        case .stopResolving(let id): open.remove(id)
        case .connect, .cancelConnecting, .reconfirm: break
        }
      }
      most = max(most, open.count)
    }
    for number in 1...2000 { note(connector.found(instance("\(number)"), at: .zero).1) }
    while let deadline = connector.deadline, deadline <= .seconds(30) { note(connector.deadlinePassed(at: deadline)) }
    #expect(most > SenderConnector.maximumLingering)
    #expect(most <= SenderConnector.maximumLingering + SenderConnector.maximumResolving)
    note(connector.stopAll())
    #expect(open.isEmpty)
  }

  @Test mutating func `a thousand entries that do not resolve are gone through in ten seconds`() {
    for number in 1...1000 { _ = connector.found(instance("\(number)"), at: .zero) }
    var seen: Set<SenderConnector.SenderID> = []
    var now = Moment.zero
    while let deadline = connector.deadline, deadline <= .seconds(10) {
      now = deadline
      for case .resolve(let id, _) in connector.deadlinePassed(at: now) { seen.insert(id) }
    }
    #expect(seen.isSuperset(of: (65...1000).map { .instance("\($0)") }))
  }

  /// A lost query is repeated by discovery, after one second and after three (RFC 6762 §5.2).
  @Test mutating func `amid a thousand entries a newcomer's answer is heard for four seconds from its turn on`() {
    for number in 1...1000 { _ = connector.found(instance("\(number)"), at: .zero) }
    _ = connector.found(instance("late"), at: .zero)
    var (began, ended): (Moment?, Moment?)
    while ended == nil, let deadline = connector.deadline, deadline <= .seconds(10) {
      for output in connector.deadlinePassed(at: deadline) {
        if case .resolve(.instance("late"), _) = output { began = began ?? deadline }
        if output == .stopResolving(.instance("late")) { ended = deadline }
      }
    }
    #expect(began == .milliseconds(500))
    #expect(ended == .milliseconds(4500))
  }

  @Test mutating func `at most eight connections are made or held at once, the newest sender's first`() throws {
    for number in 1...10 {
      _ = connector.found(instance("\(number)"), at: .zero)
    }
    var opened: [ConnectionID] = []
    for number in 1...10 {
      opened += connects(connector.resolved(.instance("\(number)"), try endpoint(number), .onLink, at: .zero)).map(\.0)
    }
    #expect(opened.count == 8)
    let (sender, _) = try unwrapped(connected(opened[0], at: .zero))
    let freed = connector.sessionEnded(sender, .never, at: .zero)
    #expect(connects(freed).map(\.1) == [10])
  }

  @Test mutating func `among thirty that hang one that answers after them has the next turn, wherever it was told of`()
    throws
  {
    for place in [1, 15, 31] {
      connector = SenderConnector()
      let others = (1...31).filter { $0 != place }
      for number in 1...31 { _ = connector.found(instance("\(number)"), at: .zero) }
      for number in others {
        _ = connector.resolved(.instance("\(number)"), try endpoint(number), .onLink, at: .milliseconds(10))
      }
      let answered = connector.resolved(.instance("\(place)"), try endpoint(place), .onLink, at: .milliseconds(30))
      #expect(connects(answered).isEmpty)
      var tried: [Int] = []
      while !tried.contains(place), let deadline = connector.deadline, deadline < .seconds(10) {
        tried += connects(connector.deadlinePassed(at: deadline)).map(\.1)
        // Those that had a turn answer again, as quickly as before.
        for number in others {
          tried += connects(
            connector.resolved(.instance("\(number)"), try endpoint(number), .onLink, at: deadline)
          ).map(\.1)
        }
      }
      #expect(tried.contains(place) && Set(tried).count == tried.count, "\(place): \(tried)")
    }
  }

  /// As two packets do: hundreds of names whose one address answers nothing.
  @Test mutating func `names of one dead address leave the other connections to whoever has another`() throws {
    for place in [1, 400, 800] {
      connector = SenderConnector()
      var answers: [(at: Moment, id: SenderConnector.SenderID)] = []
      var tried: [(at: Moment, port: Int)] = []
      func note(_ outputs: [SenderConnector.Output], at now: Moment) {
        for case .resolve(let id, _) in outputs { answers.append((now + .milliseconds(10), id)) }
        tried += connects(outputs).map { (now, $0.1) }
      }
      for number in 1...800 { note(connector.found(instance("\(number)"), at: .zero).1, at: .zero) }
      while !tried.contains(where: { $0.port == 2 }), let now = earliest(answers.first?.at, connector.deadline),
        now < .seconds(30)
      {
        guard let answer = answers.first, answer.at == now else {
          note(connector.deadlinePassed(at: now), at: now)
          continue
        }
        answers.removeFirst()
        let port = answer.id == .instance("\(place)") ? 2 : 1
        note(connector.resolved(answer.id, try endpoint(port), .onLink, at: now), at: now)
      }
      let met = try #require(tried.last)
      // In the middle it waits until it is asked for its address: 64 of 800 at a time, for half a second each.
      #expect(met.port == 2 && met.at <= (place == 400 ? .seconds(7) : .seconds(3)), "\(place): \(met)")
      for (earlier, later) in zip(tried, tried.dropFirst()) where later.port == 1 {
        #expect(later.at >= earlier.at + .seconds(2), "each hangs for two seconds, one at a time")
      }
    }
  }

  private func earliest(_ moments: Moment?...) -> Moment? { moments.compactMap(\.self).min() }

  @Test mutating func `a sender that refuses makes room at once`() throws {
    for number in 1...9 { _ = connector.found(instance("\(number)"), at: .zero) }
    var opened: [ConnectionID] = []
    for number in 1...9 {
      opened += connects(connector.resolved(.instance("\(number)"), try endpoint(number), .onLink, at: .zero)).map(\.0)
    }
    #expect(opened.count == 8)
    #expect(connects(connector.connectFailed(opened[0], .refused, at: .milliseconds(1))).map(\.1) == [9])
    // Another address of it may be on its way.
    let late = connector.resolved(.instance("1"), try endpoint(10), .onLink, at: .milliseconds(2))
    #expect(connects(late).isEmpty)
    #expect(connects(connector.connectFailed(opened[1], .refused, at: .milliseconds(3))).map(\.1) == [10])
  }

  @Test mutating func `who tells one address after the other, and none of them does, has but one turn`() throws {
    _ = connector.found(instance("a"), at: .zero)
    var (now, port) = (Moment.zero, 0)
    while let deadline = connector.deadline, deadline < .seconds(10) {
      port += 1
      let connecting = connects(connector.resolved(.instance("a"), try endpoint(port), .onLink, at: now))
      guard let id = connecting.first?.0 else { break }
      _ = connector.connectFailed(id, .refused, at: now)
      now += .milliseconds(400)
      _ = connector.deadlinePassed(at: now)
    }
    #expect((.seconds(2)...(.seconds(3))).contains(now), "its turn and a handshake's time")
  }

  /// As somebody does who listens, and says nothing, under many names.
  @Test mutating func `names of one address that accepts have one session at a time`() throws {
    for number in 1...20 { _ = connector.found(instance("\(number)"), at: .zero) }
    var connecting: [(ConnectionID, Int)] = []
    for number in 1...19 {
      connecting += connects(connector.resolved(.instance("\(number)"), try endpoint(1), .onLink, at: .zero))
    }
    #expect(connecting.count == 1)
    let (first, outputs) = try unwrapped(connected(connecting[0].0, at: .zero))
    #expect(connects(outputs).isEmpty)
    #expect(connects(connector.resolved(.instance("20"), try endpoint(2), .onLink, at: .zero)).map(\.1) == [2])
    #expect(connects(connector.sessionEnded(first, .never, at: .zero)).map(\.1) == [1])
  }

  @Test mutating func `a sender whose connections hang makes room after two seconds`() throws {
    _ = connector.found(instance("a"), at: .zero)
    let connecting = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero))
    #expect(connector.deadline == .seconds(2))
    #expect(connector.deadlinePassed(at: .seconds(2)).contains(.cancelConnecting(connecting[0].0)))
  }

  @Test mutating func `a sender that went away before it was tried is forgotten`() {
    for number in 1...65 { _ = connector.found(instance("\(number)"), at: .zero) }
    #expect(connector.lost(instance("65"), at: .zero) == [])
    let freed = connector.lost(instance("1"), at: .zero)
    #expect(freed == [.stopResolving(.instance("1"))])
  }

  @Test mutating func `a sender is tried again after a session that came to nothing, three times in all`() throws {
    _ = connector.found(instance("a"), at: .zero)
    var now = Moment.zero
    for session in 1...3 {
      let connecting = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: now))
      let (sender, _) = try unwrapped(connected(connecting[0].0, at: now))
      let outputs = connector.sessionEnded(sender, .someTimes, at: now)
      #expect(outputs.isEmpty)
      guard session < 3 else { break }
      now = try #require(connector.deadline)
      #expect(connector.deadlinePassed(at: now).contains(.resolve(.instance("a"), instance("a"))))
    }
    #expect(connector.isIdle && connector.deadline == nil)
  }

  @Test mutating func `a sender that was too busy is tried again for as long as there is time`() throws {
    _ = connector.found(instance("a"), at: .zero)
    var now = Moment.zero
    for _ in 1...5 {
      let connecting = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: now))
      let (sender, _) = try unwrapped(connected(try unwrapped(connecting.first).0, at: now))
      let after = connector.sessionEnded(sender, .always, at: now)
      #expect(after.isEmpty)
      now = try unwrapped(connector.deadline)
      _ = connector.deadlinePassed(at: now)
    }
    #expect(!connector.isIdle)
  }

  @Test mutating func `a peer that is given is tried again until it listens`() throws {
    var connecting = connects(connector.add(peer: try endpoint(7), at: .zero))
    for _ in 1...5 {
      #expect(connecting.map(\.1) == [7])
      #expect(connector.connectFailed(connecting[0].0, .refused, at: .zero) == [])
      connecting = connects(connector.deadlinePassed(at: try #require(connector.deadline)))
    }
  }

  @Test mutating func `once all is stopped nobody is tried`() throws {
    _ = connector.found(instance("a"), at: .zero)
    let connecting = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero))
    #expect(connector.stopAll() == [.stopResolving(.instance("a")), .cancelConnecting(connecting[0].0)])
    #expect(connector.deadline == nil)
    #expect(connector.resolved(.instance("a"), try endpoint(2), .onLink, at: .zero) == [])
  }

  @Test
  mutating func `what cannot be connected to is reconfirmed, wherever it was seen, and what does not resolve is not`()
    throws
  {
    let (here, there) = (instance("a"), instance("a", interface: 2))
    for found in [here, there, instance("b")] { _ = connector.found(found, at: .zero) }
    let opened = connects(connector.resolved(.instance("a"), try endpoint(1), .onLink, at: .zero)).map(\.0)
    #expect(
      reconfirmed(connector.connectFailed(opened[0], .refused, at: .milliseconds(1))).isEmpty, "it is resolving yet")
    var outputs: [SenderConnector.Output] = []
    while let deadline = connector.deadline, deadline < .seconds(2) {
      outputs += connector.deadlinePassed(at: deadline)
    }
    #expect(reconfirmed(outputs).prefix(2) == [here, there])
    #expect(!reconfirmed(outputs).contains(instance("b")))
  }

  /// All of a flood at once would have the network asked a thousand times over.
  @Test mutating func `who had no turn to be connected to is not reconfirmed`() throws {
    connector.isHeld = true
    for number in 0...SenderConnector.maximumReachable {
      _ = connector.found(instance("\(number)"), at: .zero)
      _ = connector.resolved(.instance("\(number)"), try endpoint(1), .onLink, at: .zero)
    }
    var outputs: [SenderConnector.Output] = []
    while let deadline = connector.deadline, deadline < .seconds(20) {
      outputs += connector.deadlinePassed(at: deadline)
    }
    #expect(reconfirmed(outputs).isEmpty)
  }

  private func reconfirmed(_ outputs: [SenderConnector.Output]) -> [ServiceInstance] {
    outputs.compactMap { if case .reconfirm(let instance) = $0 { instance } else { nil } }
  }
}
