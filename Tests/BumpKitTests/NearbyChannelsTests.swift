import BumpDiscovery
import BumpTesting
import BumpWire
import Testing

@testable import BumpKit

@Suite(.timeLimit(.minutes(30))) struct NearbyChannelsTests {
  @Test func `the channels of senders with a code are in sight, and no others`() async throws {
    let discovery = InMemoryDiscovery()
    let announced: [(String, KeyValuePairs<String, String>)] = [
      ("open", ["mode": "open", "ch": "3"]), ("a", ["mode": "code", "ch": "27"]), ("b", ["mode": "code", "ch": "100"]),
      ("c", ["mode": "code", "ch": "5"]), ("d", ["mode": "code"]),
    ]
    var advertisements: [Task<Void, any Error>] = []
    for (name, pairs) in announced {
      let service = try Advertisement(name: name, type: .irlBump, port: 7000, txt: TXTRecord(pairs))
      let names = discovery.advertise(service)
      advertisements.append(Task { for try await _ in names {} })
    }
    defer { for task in advertisements { task.cancel() } }
    let inSight = NearbyChannels(Neighbours(discovery: discovery))
    // The last of them to be resolved may be any.
    while inSight.channels.count < 2 { await Task.yield() }
    #expect(inSight.channels == [5, 27])
  }

  @Test func `a code is drawn on the one channel that nobody in sight has`() async throws {
    let discovery = InMemoryDiscovery()
    var advertisements: [Task<Void, any Error>] = []
    for channel in 1...99 where channel != 57 {
      let txt = try TXTRecord(["mode": "code", "ch": "\(channel)"])
      let service = Advertisement(name: "other\(channel)", type: .irlBump, port: 7000, txt: txt)
      let names = discovery.advertise(service)
      advertisements.append(Task { for try await _ in names {} })
    }
    defer { for task in advertisements { task.cancel() } }
    let inSight = NearbyChannels(Neighbours(discovery: discovery))
    while inSight.channels.count < 98 { await Task.yield() }
    #expect(await inSight.code(at: .now).channel == 57)
  }
}
