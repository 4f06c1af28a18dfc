extension Collection<UInt8> {
  /// The bytes without a byte order mark of UTF-8 at their beginning: editors write one, and a reader may ignore it
  /// (RFC 8259 §8.1).
  package var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
