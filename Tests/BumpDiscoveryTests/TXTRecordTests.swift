import BumpDiscovery
import Testing

@Suite struct TXTRecordTests {
  /// A record of these strings, each with its length byte.
  private func record(_ strings: [[UInt8]]) -> TXTRecord {
    TXTRecord(bytes: strings.flatMap { [UInt8($0.count)] + $0 })
  }

  private func record(_ strings: String...) -> TXTRecord { record(strings.map { Array($0.utf8) }) }

  @Test func `what is written is read back`() throws {
    let written = try TXTRecord(["txtvers": "1", "mode": "open", "note": "", "who": "Zoë = ok"])
    let read = TXTRecord(bytes: written.bytes)
    #expect(read == written)
    #expect(read["mode"] == "open")
    #expect(read["note"] == "")
    #expect(read["who"] == "Zoë = ok")
    #expect(read.values.count == 4)
  }

  @Test func `a record is strings of a length byte and a pair`() throws {
    #expect(try TXTRecord(["v": "1", "mode": "key"]).bytes == [3] + Array("v=1".utf8) + [8] + Array("mode=key".utf8))
  }

  @Test func `an empty record is one empty string`() throws {
    #expect(try TXTRecord([:]).bytes == [0])
    #expect(TXTRecord(bytes: []) == TXTRecord(bytes: [0]))
    #expect(TXTRecord(bytes: []).values.isEmpty)
  }

  @Test(arguments: ["", "a=b", "é", "a\u{7F}", "a\0", "tab\t"])
  func `a key that is empty, not printable ASCII or has an equals sign is not written`(key: String) {
    #expect(throws: DiscoveryError(.badTXTRecord, "")) { try TXTRecord([key: "1"]) }
  }

  @Test func `a pair is at most 255 bytes long`() throws {
    let longest = String(repeating: "x", count: 253)
    #expect(try TXTRecord(["k": longest])["k"] == longest)
    #expect(throws: DiscoveryError(.badTXTRecord, "")) { try TXTRecord(["k": longest + "x"]) }
  }

  @Test func `a record is written up to its greatest length and no further`() throws {
    let pair = String(repeating: "x", count: 253)
    // Five pairs of 256 bytes with their length bytes, and one that fills the 20 left.
    #expect(
      try TXTRecord([
        "a": pair, "b": pair, "c": pair, "d": pair, "e": pair, "f": String(repeating: "x", count: 17),
      ]).bytes.count == TXTRecord.maximumLength)
    #expect(throws: DiscoveryError(.badTXTRecord, "")) {
      try TXTRecord(["a": pair, "b": pair, "c": pair, "d": pair, "e": pair, "f": String(repeating: "x", count: 18)])
    }
  }

  @Test func `an oversized record is read up to its greatest length`() {
    let strings = (100..<500).map { Array("\($0)=1".utf8) }
    let record = record(strings)
    #expect(record.bytes.count == TXTRecord.maximumLength)
    // Each string takes 6 bytes: 216 of them fit, and the 217th is cut.
    #expect(record.values.count == 216)
    #expect(record["315"] == "1")
    #expect(record["316"] == nil)
  }

  @Test func `a key without an equals sign is there and has no value`() {
    let record = record("flag", "empty=")
    #expect(record.values["flag"] == .some(nil))
    #expect(record["flag"] == nil)
    #expect(record.values["empty"] == .some([]))
    #expect(record["empty"] == "")
    #expect(record.values["absent"] == nil)
  }

  @Test func `a value may hold NUL, an equals sign and bytes that are no text`() {
    let record = record([Array("nul=a\0b".utf8), Array("eq=a=b=".utf8), Array("raw=".utf8) + [0xFF, 0]])
    #expect(record["nul"] == "a\0b")
    #expect(record["eq"] == "a=b=")
    #expect(record.values["raw"] == .some([0xFF, 0]))
    #expect(record["raw"] == nil)
  }

  @Test func `the first of equal keys holds, with or without a value`() {
    #expect(record("k=1", "k=2", "K=3")["k"] == "1")
    #expect(record("k", "k=2").values["k"] == .some(nil))
  }

  @Test func `keys have no case`() {
    let record = record("TxtVers=1")
    #expect(record["txtvers"] == "1")
    #expect(record["TXTVERS"] == "1")
    #expect(record.values.keys.first == "txtvers")
  }

  @Test func `what is not a pair is passed over`() {
    let record = record([[], Array("=orphan".utf8), [0xFF, UInt8(ascii: "="), 1], Array("k=1".utf8)])
    #expect(record.values == ["k": Array("1".utf8)])
  }

  @Test func `everything from the first string that runs past the end is ignored`() {
    #expect(TXTRecord(bytes: [3] + Array("a=1".utf8) + [4] + Array("b=1".utf8)).values == ["a": Array("1".utf8)])
    #expect(TXTRecord(bytes: [255]).values.isEmpty)
  }
}
