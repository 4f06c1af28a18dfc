import BumpKit

/// Any bytes as a TXT record: bounded, with keys that are keys, and the same when it is read again.
func fuzzTXTRecords(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let record = TXTRecord(bytes: bytes)
  check((1...TXTRecord.maximumLength).contains(record.bytes.count), "a record of \(record.bytes.count) bytes")
  check(bytes.isEmpty || bytes.starts(with: record.bytes), "a record of other bytes")
  check(TXTRecord(bytes: record.bytes) == record, "a record that reads otherwise the second time")

  for (key, value) in record.values {
    check(!key.isEmpty && key == key.lowercased(), "a key that is none")
    check(key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x3D }, "a key that is not printable")
    check(key.utf8.count + (value?.count ?? 0) <= 255, "a pair longer than a string")
    check(record[key] == record[key.uppercased()], "a key whose case matters")
    guard let text = record[key] else { continue }
    check(value.map { text.utf8.elementsEqual($0) } ?? false, "a text that is not the value")
    let again = try? TXTRecord([key: text])
    check(again?[key].map { $0.utf8.elementsEqual(text.utf8) } ?? false, "a pair that was read and cannot be written")
  }
}
