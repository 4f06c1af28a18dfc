import Samples
import Testing

@testable import BumpMDNS

@Suite struct CacheTests {
  private var random = SplitMix64(seed: 1)
  private let key = RecordKey(name: Names.host, type: .a)

  private func address(_ last: Int, ttl: UInt32 = 120, flushes: Bool = false) -> Record {
    Record(
      Names.host, .a([192, 0, UInt8(last >> 8), UInt8(last & 0xFF)]), timeToLive: ttl, flushesCache: flushes)
  }

  private func pointer(_ name: String, ttl: UInt32 = 120) -> Record {
    Record(Names.type, .ptr(.of("\(name)._irl-bump._tcp.local")), timeToLive: ttl)
  }

  @Test mutating func `a record lives as long as it says`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1), at: .seconds(10), using: &random)
    #expect(cache.takeChanges() == [.added(address(1))])
    #expect(cache.records(key, at: .seconds(70)).first?.timeToLive == 60)
    _ = cache.advance(to: .seconds(129), using: &random)
    #expect(cache.takeChanges() == [])
    _ = cache.advance(to: .seconds(130), using: &random)
    #expect(cache.takeChanges() == [.removed(address(1))])
    #expect(cache.next == nil && cache.size == 0)
  }

  /// RFC 6762 §5.2.
  @Test mutating func `a question is due at 80, 85, 90 and 95 percent and up to 2 more`() {
    for seed in 0..<50 {
      random = SplitMix64(seed: UInt64(seed))
      var cache = Cache(budget: 1 << 20)
      cache.insert(address(1, ttl: 100), at: .zero, using: &random)
      var moments: [Moment] = []
      while let next = cache.next {
        if cache.advance(to: next, using: &random) == [key] { moments.append(next) }
      }
      #expect(moments.count == 4)
      for (moment, percent) in zip(moments, [80, 85, 90, 95]) {
        #expect((.seconds(percent)...Duration.seconds(percent + 2)).contains(moment))
      }
      #expect(Set(moments.map { $0.components.attoseconds }).count == 4, "without jitter")
    }
  }

  @Test mutating func `a record that is received again is asked for at 80 percent of its new life`() throws {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1, ttl: 100), at: .zero, using: &random)
    cache.insert(address(1, ttl: 100), at: .seconds(50), using: &random)
    while let next = cache.next, next < .seconds(130) { #expect(cache.advance(to: next, using: &random).isEmpty) }
    #expect((.seconds(130)...Duration.seconds(132)).contains(try #require(cache.next)))
    #expect(cache.advance(to: .seconds(132), using: &random) == [key])
  }

  @Test mutating func `a record that is received again with a shorter life is asked for in time`() throws {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1, ttl: 100), at: .zero, using: &random)
    cache.insert(address(1, ttl: 50), at: .seconds(10), using: &random)
    #expect((.seconds(50)...Duration.seconds(51)).contains(try #require(cache.next)))
    #expect(cache.advance(to: .seconds(51), using: &random) == [key])
  }

  /// RFC 6762 §7.1.
  @Test mutating func `what is one host's own is known as a whole until it is about to expire, or in doubt`() {
    var cache = Cache(budget: 1 << 20)
    #expect(!cache.isComplete(key))
    cache.insert(address(1, ttl: 100), at: .zero, using: &random)
    cache.insert(pointer("alice"), at: .zero, using: &random)
    #expect(cache.isComplete(key) && !cache.isComplete(RecordKey(name: Names.type, type: .ptr)))
    cache.doubt(key, at: .seconds(1))
    #expect(!cache.isComplete(key))
    cache.insert(address(1, ttl: 100), at: .seconds(2), using: &random)
    _ = cache.advance(to: .seconds(81), using: &random)
    #expect(cache.isComplete(key))
    _ = cache.advance(to: .seconds(84), using: &random)
    #expect(!cache.isComplete(key))
    cache.insert(address(1, ttl: 0), at: .seconds(84), using: &random)
    _ = cache.advance(to: .seconds(85), using: &random)
    #expect(!cache.isComplete(key))
  }

  /// RFC 6762 §10.1.
  @Test mutating func `a goodbye leaves one second`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1), at: .zero, using: &random)
    cache.insert(address(1, ttl: 0), at: .seconds(5), using: &random)
    _ = cache.takeChanges()
    _ = cache.advance(to: .seconds(5) + .milliseconds(999), using: &random)
    #expect(cache.takeChanges() == [])
    _ = cache.advance(to: .seconds(6), using: &random)
    #expect(cache.takeChanges() == [.removed(address(1))])
    cache.insert(address(2, ttl: 0), at: .seconds(7), using: &random)
    #expect(cache.count == 0, "a goodbye to somebody unknown")
  }

  /// RFC 6762 §10.2.
  @Test mutating func `the cache-flush bit spares what came within one second`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1), at: .zero, using: &random)
    cache.insert(address(2), at: .seconds(1), using: &random)
    cache.flush(key, at: .milliseconds(1500))
    cache.insert(address(3, flushes: true), at: .milliseconds(1500), using: &random)
    _ = cache.advance(to: .milliseconds(2499), using: &random)
    #expect(cache.records(key, at: .milliseconds(2499)).count == 3)
    _ = cache.advance(to: .milliseconds(2500), using: &random)
    #expect(
      Set(cache.records(key, at: .milliseconds(2500)).map(\.data))
        == [.a([192, 0, 0, 2]), .a([192, 0, 0, 3])])
  }

  @Test mutating func `no bit flushes what others share`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(pointer("alice"), at: .zero, using: &random)
    cache.flush(pointer("alice").key, at: .seconds(5))
    _ = cache.advance(to: .seconds(7), using: &random)
    #expect(cache.count == 1)
  }

  @Test mutating func `what is in doubt has ten seconds, unless somebody speaks for it`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(pointer("alice"), at: .zero, using: &random)
    cache.insert(pointer("bob"), at: .zero, using: &random)
    cache.doubt(pointer("alice").key, at: .seconds(1))
    cache.insert(pointer("bob"), at: .seconds(2), using: &random)
    _ = cache.takeChanges()
    _ = cache.advance(to: .seconds(11), using: &random)
    #expect(cache.takeChanges() == [.removed(pointer("alice"))])
  }

  /// RFC 6762 §6.7 caps it for others than us.
  @Test mutating func `an answer to us alone shortens no life`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1), at: .zero, using: &random)
    cache.insert(address(1, ttl: 10), at: .seconds(1), isBrief: true, using: &random)
    #expect(cache.records(key, at: .seconds(1)).first?.timeToLive == 119)
    cache.insert(address(1, ttl: 10), at: .seconds(115), isBrief: true, using: &random)
    #expect(cache.records(key, at: .seconds(115)).first?.timeToLive == 10)
  }

  @Test mutating func `a record that would live for ever lives for 75 minutes`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1, ttl: 0x7FFF_FFFF), at: .zero, using: &random)
    #expect(cache.records(key, at: .zero).first?.timeToLive == 4500)
  }

  /// RFC 6762 §7.1.
  @Test mutating func `a known answer has more than half of its life left`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(1), at: .zero, using: &random)
    #expect(cache.knownAnswers(key, at: .seconds(59), atMost: 9).first?.timeToLive == 61)
    #expect(cache.knownAnswers(key, at: .seconds(60), atMost: 9).isEmpty)
    #expect(cache.knownAnswers(key, at: .seconds(1), atMost: 0).isEmpty)
  }

  /// RFC 6762 §6.1.
  @Test mutating func `a record that says what there is denies the rest`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(Record(Names.host, .nsec(next: Names.host, types: [.a]), timeToLive: 120), at: .zero, using: &random)
    #expect(cache.denies(RecordKey(name: Names.host, type: .aaaa), at: .seconds(1)))
    #expect(!cache.denies(key, at: .seconds(1)))
    #expect(!cache.denies(RecordKey(name: Names.host, type: .aaaa), at: .seconds(120)))
  }

  // MARK: Floods

  @Test mutating func `ten thousand forged instances leave room for one more`() {
    var cache = Cache(budget: Engine.memoryLimit / 2)
    for index in 0..<10_000 { cache.insert(pointer("forged \(index)"), at: .zero, using: &random) }
    cache.insert(pointer("alice"), at: .seconds(1), using: &random)
    #expect(cache.count == 10_001)
    #expect(cache.size <= cache.budget)
  }

  @Test mutating func `when it is full the longest unheard of make room`() {
    var cache = Cache(budget: 100_000)
    cache.insert(pointer("alice"), at: .zero, using: &random)
    for index in 0..<1000 {
      cache.insert(pointer("forged \(index)"), at: .seconds(index), using: &random)
      if index % 50 == 0 { cache.insert(pointer("alice"), at: .seconds(index), using: &random) }
    }
    #expect(cache.size <= 100_000)
    #expect(cache.contains(pointer("alice")) && cache.contains(pointer("forged 999")))
    #expect(!cache.contains(pointer("forged 1")))
    cache.limit(to: 1500)
    #expect(cache.size <= 1500)
    #expect(cache.contains(pointer("forged 999")))
  }

  @Test mutating func `a host has 32 addresses at most`() {
    var cache = Cache(budget: 1 << 24)
    for index in 0..<1000 { cache.insert(address(index), at: .zero, using: &random) }
    #expect(cache.count == 32)
    #expect(cache.contains(address(999)))
  }

  @Test mutating func `an answer whose record made room has news again`() {
    var cache = Cache(budget: 1 << 20)
    cache.insert(address(0), at: .zero, using: &random)
    cache.remember(answer: 7, at: .zero)
    for last in 1..<32 { cache.insert(address(last), at: .zero, using: &random) }
    #expect(cache.isRepeated(7, at: .zero))
    cache.insert(address(32), at: .zero, using: &random)
    #expect(!cache.isRepeated(7, at: .zero))
  }

  @Test mutating func `saying one thing for ever takes no memory`() {
    var cache = Cache(budget: 1 << 20)
    for index in 0..<10_000 { cache.insert(address(1), at: .milliseconds(index), using: &random) }
    #expect(cache.count == 1)
    #expect(cache.queued < 200)
  }

  @Test mutating func `hosts that SRV records name are known until the last of them goes`() {
    var cache = Cache(budget: 1 << 20)
    let srv = { (port: UInt16, ttl: UInt32) in
      Record(Names.alice, .srv(priority: 0, weight: 0, port: port, target: Names.host), timeToLive: ttl)
    }
    cache.insert(srv(1, 10), at: .zero, using: &random)
    cache.insert(srv(2, 20), at: .zero, using: &random)
    _ = cache.advance(to: .seconds(10), using: &random)
    #expect(cache.isTarget(Names.host))
    _ = cache.advance(to: .seconds(20), using: &random)
    #expect(!cache.isTarget(Names.host))
  }
}
