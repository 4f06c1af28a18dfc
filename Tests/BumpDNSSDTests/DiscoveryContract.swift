import BumpDiscovery
import Lab
import NIOCore
import Testing

/// One thing that every discovery does, whatever is behind it.
struct DiscoveryRule: CustomTestStringConvertible {
  let testDescription: String
  /// Takes a discovery on which nothing is announced.
  let check: @Sendable (any Discovery) async throws -> Void

  static let all = [
    Self(testDescription: "round trip", check: DiscoveryContract.roundTrip),
    Self(testDescription: "any TXT record", check: DiscoveryContract.anyTXTRecord),
    Self(testDescription: "withdrawal", check: DiscoveryContract.withdrawal),
    Self(testDescription: "two names", check: DiscoveryContract.twoNames),
    Self(testDescription: "taken name", check: DiscoveryContract.takenName),
    Self(testDescription: "bad names", check: DiscoveryContract.badNames),
    Self(testDescription: "cancelled resolve", check: DiscoveryContract.cancelledResolve),
    Self(testDescription: "subtypes", check: DiscoveryContract.subtypes),
  ]
}

enum DiscoveryContract {
  /// What a host announces comes back as it was, with an address to connect to.
  static func roundTrip(_ discovery: any Discovery) async throws {
    let type = try ServiceType("round-trip")
    let txt = try TXTRecord(["txtvers": "1", "v": "1", "mode": "open"])
    let service = Advertisement(name: "Zoë’s laptop", type: type, port: 4242, txt: txt)
    let address = try await withTimeout {
      try await announced(service, on: discovery) { name in
        #expect(name == service.name)
        let instance = try await found(name, type, on: discovery)
        #expect(instance.type.hasPrefix(type.description))
        #expect(instance.domain == "local.")
        let resolved = try await discovery.resolve(instance)
        #expect(resolved.port == 4242)
        #expect(resolved.txt.values == txt.values)
        #expect(resolved.interface == instance.interface)
        #expect(resolved.host.hasSuffix(".local."))
        return try await first(discovery.addresses(of: resolved))
      }
    }
    #expect(address.port == 4242)
  }

  /// A TXT record is bytes: a key may lack `=`, a value may hold NUL, a record may be empty.
  static func anyTXTRecord(_ discovery: any Discovery) async throws {
    let type = try ServiceType("any-txt")
    let strings: [[UInt8]] = [Array("flag".utf8), Array("nul=a\0b".utf8), Array("raw=".utf8) + [0xFF, 0, 0x80]]
    let records = [TXTRecord(bytes: strings.flatMap { [UInt8($0.count)] + $0 }), TXTRecord(bytes: [])]
    for (index, txt) in records.enumerated() {
      let service = Advertisement(name: "txt \(index)", type: type, port: 1, txt: txt)
      let resolved = try await withTimeout {
        try await announced(service, on: discovery) { name in
          try await discovery.resolve(found(name, type, on: discovery))
        }
      }
      #expect(resolved.txt.values == txt.values)
    }
  }

  /// A cancelled advertisement is withdrawn: those who browse lose it.
  static func withdrawal(_ discovery: any Discovery) async throws {
    let type = try ServiceType("withdrawal")
    let service = Advertisement(name: "alice", type: type, port: 1, txt: try TXTRecord([:]))
    try await withTimeout {
      let publisher = Task { for try await _ in discovery.advertise(service) {} }
      defer { publisher.cancel() }
      var present: Set<ServiceInstance> = []
      for try await event in discovery.browse(type) {
        switch event {
        case .found(let instance):
          #expect(instance.name == "alice")
          #expect(present.insert(instance).inserted, "told of twice")
          publisher.cancel()
        case .lost(let instance):
          #expect(present.remove(instance) != nil, "lost before it was found")
          if present.isEmpty { return }
        }
      }
      try Task.checkCancellation()
    }
  }

  /// Two services of one type stand beside each other.
  static func twoNames(_ discovery: any Discovery) async throws {
    let type = try ServiceType("two-names")
    let txt = try TXTRecord([:])
    let ports = try await withTimeout {
      try await announced(Advertisement(name: "alice", type: type, port: 1, txt: txt), on: discovery) { alice in
        try await announced(Advertisement(name: "bob", type: type, port: 2, txt: txt), on: discovery) { bob in
          let first = try await discovery.resolve(found(alice, type, on: discovery))
          let second = try await discovery.resolve(found(bob, type, on: discovery))
          return [first.port, second.port]
        }
      }
    }
    #expect(ports == [1, 2])
  }

  /// A name that another service on this host has is refused.
  static func takenName(_ discovery: any Discovery) async throws {
    let type = try ServiceType("taken-name")
    let txt = try TXTRecord([:])
    try await withTimeout {
      try await announced(Advertisement(name: "alice", type: type, port: 1, txt: txt), on: discovery) { name in
        let second = Advertisement(name: name, type: type, port: 2, txt: txt)
        await #expect(throws: DiscoveryError(.nameTaken, "")) { try await first(discovery.advertise(second)) }
      }
    }
  }

  /// A name that no service can have is refused.
  static func badNames(_ discovery: any Discovery) async throws {
    for name in ["", "a\0b", "line\nbreak", String(repeating: "x", count: 64)] {
      let service = Advertisement(name: name, type: try ServiceType("bad-name"), port: 1, txt: try TXTRecord([:]))
      await #expect(throws: DiscoveryError(.failed, "")) { try await first(discovery.advertise(service)) }
    }
  }

  /// A question that nobody answers ends at once when it is cancelled.
  static func cancelledResolve(_ discovery: any Discovery) async throws {
    let type = try ServiceType("no-answer")
    let service = Advertisement(name: "alice", type: type, port: 1, txt: try TXTRecord([:]))
    try await withTimeout {
      try await announced(service, on: discovery) { name in
        var nobody = try await found(name, type, on: discovery)
        nobody.name = "nobody"
        let questions = (0..<2).map { [nobody] _ in Task { try await discovery.resolve(nobody) } }
        // By the time another question is answered, these have been asked.
        _ = try await discovery.resolve(found(name, type, on: discovery))
        questions[1].cancel()
        let first = await withTaskGroup(of: Int.self) { group in
          for (number, question) in questions.enumerated() {
            group.addTask {
              _ = await question.result
              return number
            }
          }
          defer { questions[0].cancel() }
          return await group.next()
        }
        #expect(first == 1, "Avahi goes on asking for five seconds.")
        await #expect(throws: CancellationError.self) { try await questions[1].value }
      }
    }
  }

  static func subtypes(_ discovery: any Discovery) async throws { try await subtypes(discovery, discovery) }

  /// Who browses a subtype finds its services alone, whoever comes first; who browses the type finds all. What is found
  /// is an instance of the type.
  static func subtypes(_ publisher: any Discovery, _ browser: any Discovery) async throws {
    let type = try ServiceType("sub-types")
    let (one, two, both) = (
      try ServiceSubtype("c1"), try ServiceSubtype("k0123456789abcdef"), try ServiceSubtype("c99")
    )
    let service = { @Sendable (name: String, port: UInt16, subtypes: [ServiceSubtype]) throws in
      Advertisement(name: name, type: type, subtypes: subtypes, port: port, txt: try TXTRecord(["v": "1"]))
    }
    let (alice, bob) = (try service("alice", 1, [one, both]), try service("bob", 2, [two, both]))
    try await withTimeout {
      let waiting = Task { try await first(browser.browse(type, subtype: two)) }
      defer { waiting.cancel() }
      try await announced(alice, on: publisher) { _ in
        try await announced(bob, on: publisher) { _ in
          guard case .found(let early) = try await waiting.value else { throw CancellationError() }
          #expect(early.name == "bob")
          for (subtype, name, port) in [(one, "alice", UInt16(1)), (two, "bob", UInt16(2))] {
            guard case .found(let instance) = try await first(browser.browse(type, subtype: subtype)) else {
              throw CancellationError()
            }
            #expect(instance.name == name && instance.type.hasPrefix(type.description))
            let resolved = try await browser.resolve(instance)
            #expect(resolved.port == port && resolved.txt.values == alice.txt.values)
          }
          for subtype in [nil, both] {
            var names: Set<String> = []
            for try await case .found(let instance) in browser.browse(type, subtype: subtype) {
              names.insert(instance.name)
              if names.count == 2 { break }
            }
            #expect(names == ["alice", "bob"])
          }
        }
      }
      // What is announced anew has other subtypes, under the same name.
      await publisher.settle()
      let later = try service("alice", 3, [two])
      try await announced(later, on: publisher) { name in
        #expect(name == "alice")
        for try await case .found(let instance) in browser.browse(type, subtype: two) where instance.name == name {
          return
        }
      }
    }
  }

  /// Runs a body while a service is announced, with the name it has.
  static func announced<T>(
    _ service: Advertisement, on discovery: any Discovery, _ body: (String) async throws -> T
  ) async throws -> T {
    for try await name in discovery.advertise(service) { return try await body(name) }
    throw CancellationError()
  }

  /// The first instance of that name.
  static func found(_ name: String, _ type: ServiceType, on discovery: any Discovery) async throws -> ServiceInstance {
    for try await case .found(let instance) in discovery.browse(type) where instance.name == name { return instance }
    throw CancellationError()
  }

  /// The first element of a stream.
  static func first<T>(_ stream: AsyncThrowingStream<T, any Error>) async throws -> T {
    for try await element in stream { return element }
    throw CancellationError()
  }
}
