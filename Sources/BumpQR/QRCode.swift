import CQREncode
import Glibc

/// A text as a QR code symbol (ISO/IEC 18004): the smallest version that holds it, at error correction level L.
public struct QRCode: Sendable, Hashable {
  /// Modules per side, without a quiet zone: 21 (version 1) to 177 (version 40), always odd.
  public let size: Int
  private let modules: [Bool]

  /// The most that any symbol holds (version 40-L, ISO/IEC 18004 table 7), and only digits go that far.
  private static let mostBytes = 7089

  /// - Parameter text: encoded as UTF-8, upper and lower case kept. The symbol does not name that encoding, so a
  ///   scanner guesses it where the text is not ASCII. The most is 2953 bytes, more where there are runs of digits
  ///   or capitals.
  /// - Throws: `.empty`, `.nullCharacter`, `.tooLong`, `.failed`.
  public init(_ text: String) throws(QRCodeError) {
    let bytes = text.utf8
    guard !bytes.isEmpty else {
      throw QRCodeError(.empty, "an empty text has no QR code")
    }
    let tooLong = QRCodeError(.tooLong, "\(bytes.count) bytes are too many for a QR code: shorten the text")
    // The encoder analyses all it is given before it refuses it, in memory hundreds of times that size.
    guard bytes.count <= Self.mostBytes else { throw tooLong }
    // The encoder takes a C string.
    guard !bytes.contains(0) else {
      throw QRCodeError(.nullCharacter, "a QR code cannot hold this text: it contains a NUL character")
    }

    // QR_MODE_8 leaves UTF-8 alone and still gives digits and capitals their denser modes: in bytes alone a claim
    // link of a large amount would be of version 7, which is too tall for a terminal of 24 rows.
    guard let symbol = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
      let reason = errno
      throw reason == ERANGE
        ? tooLong
        : QRCodeError(.failed, "could not make a QR code: \(String(cString: strerror(reason)))")
    }
    defer { QRcode_free(symbol) }
    size = Int(symbol.pointee.width)
    // The lowest bit is the colour, the others say what the module is for.
    modules = UnsafeBufferPointer(start: symbol.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether the module is dark. Both count from 0 at the top left; outside of `0..<size` is a programmer's error.
  public subscript(row: Int, column: Int) -> Bool {
    precondition((0..<size).contains(row) && (0..<size).contains(column), "no such module")
    return modules[row * size + column]
  }
}
