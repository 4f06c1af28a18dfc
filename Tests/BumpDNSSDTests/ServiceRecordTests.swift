import BumpDiscovery
import BumpMDNS
import Testing

@testable import BumpDNSSD

@Suite struct ServiceRecordTests {
  @Test func `a name is its labels, each behind its length, and an empty one`() {
    // The example of RFC 1035 §4.1.4.
    #expect(RecordData.name(["F", "ISI", "ARPA"]) == Array("\u{1}F\u{3}ISI\u{4}ARPA\0".utf8))
  }

  @Test func `labels have 1 to 63 bytes, a name at most 255`() {
    let longest = String(repeating: "x", count: 63)
    #expect(RecordData.name([longest])?.count == 65)
    #expect(RecordData.name([longest + "x"]) == nil)
    #expect(RecordData.name(["a", "", "b"]) == nil)
    #expect(RecordData.name([longest, longest, longest, String(longest.dropFirst(2))])?.count == 255)
    #expect(RecordData.name([longest, longest, longest, String(longest.dropFirst())]) == nil)
  }

  @Test func `a service is listed by each of its subtypes too, with the same data`() throws {
    let subtypes = [try ServiceSubtype("c27"), try ServiceSubtype("k0")]
    let service = Advertisement(
      name: "alice", type: .irlBump, subtypes: subtypes, port: 1, txt: try TXTRecord(["v": "1"]))
    let records = try #require(ServiceRecord.all(of: service, on: ["here", "local"]))
    let pointers = records.filter { $0.type == 12 && $0.name != .types }
    #expect(pointers.map(\.name) == [.type, .subtype(subtypes[0]), .subtype(subtypes[1])])
    #expect(Set(pointers.map(\.data)).count == 1 && pointers.allSatisfy { $0.timeToLive == 4500 })
    #expect(
      service.pointers?.map(\.name.description) == [
        "_irl-bump._tcp.local.", "_c27._sub._irl-bump._tcp.local.", "_k0._sub._irl-bump._tcp.local.",
      ])
  }

  @Test func `a service is listed by its type, and has a host, a port and a TXT record`() throws {
    let service = Advertisement(
      name: "Zoë. 1", type: .irlBump, port: 0x1234, txt: try TXTRecord(["v": "1"]))
    let records = try #require(ServiceRecord.all(of: service, on: ["here", "local"]))
    #expect(
      records == [
        ServiceRecord(
          name: .types, type: 12, timeToLive: 4500, data: Array("\u{9}_irl-bump\u{4}_tcp\u{5}local\0".utf8)),
        ServiceRecord(
          name: .type, type: 12, timeToLive: 4500, data: Array("\u{7}Zoë. 1\u{9}_irl-bump\u{4}_tcp\u{5}local\0".utf8)),
        ServiceRecord(
          name: .instance, type: 33, timeToLive: 120,
          data: [0, 0, 0, 0, 0x12, 0x34] + Array("\u{4}here\u{5}local\0".utf8)),
        ServiceRecord(name: .instance, type: 16, timeToLive: 4500, data: Array("\u{3}v=1".utf8)),
      ])
    #expect(try service.recordName() == #"Zo\195\171\.\0321._irl-bump._tcp.local"#)
  }
}
