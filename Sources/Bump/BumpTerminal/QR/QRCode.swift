import CQREncode
import Glibc

/// A text as a QR code symbol (ISO/IEC 18004) of the smallest version that holds it, with error correction level L.
package struct QRCode: Sendable, Hashable {
  /// Modules per side, without the quiet zone: 21 (version 1) to 177 (version 40), always odd.
  package let size: Int
  private let modules: [Bool]

  /// The most bytes that a symbol holds, all of them digits (version 40-L, ISO/IEC 18004 table 7).
  private static let mostBytes = 7089

  /// Encodes a text.
  ///
  /// - Parameter text: encoded as UTF-8, at most 2953 bytes, or more with runs of digits or capitals. The symbol does
  ///   not name the encoding, so a scanner guesses it if the text is not ASCII.
  /// - Throws: `.empty`, `.nullCharacter`, `.tooLong`, `.failed`.
  package init(_ text: String) throws(QRCodeError) {
    let bytes = text.utf8
    guard !bytes.isEmpty else {
      throw QRCodeError(.empty, "an empty text has no QR code")
    }
    let tooLong = QRCodeError(.tooLong, "\(bytes.count) bytes are too many for a QR code", remedy: "Shorten the text")
    // The encoder analyses the complete text before it rejects it, with hundreds of times its size in memory.
    guard bytes.count <= Self.mostBytes else { throw tooLong }
    // The encoder takes a C string.
    guard !bytes.contains(0) else {
      throw QRCodeError(.nullCharacter, "a QR code cannot hold this text: it contains a NUL character")
    }

    // QR_MODE_8 keeps UTF-8 as it is, and still encodes digits and capitals in their denser modes: as bytes alone, a
    // claim link with a large amount would need version 7, which is too tall for a terminal of 24 rows.
    guard let symbol = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
      let reason = errno
      throw reason == ERANGE
        ? tooLong
        : QRCodeError(.failed, "could not make a QR code: \(String(cString: strerror(reason)))")
    }
    defer { QRcode_free(symbol) }
    size = Int(symbol.pointee.width)
    // The lowest bit is the colour, the others are the module's purpose.
    modules = UnsafeBufferPointer(start: symbol.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Returns whether a module is dark.
  ///
  /// - Precondition: row and column, from 0 at the top left, are within `0..<size`.
  package subscript(row: Int, column: Int) -> Bool {
    precondition((0..<size).contains(row) && (0..<size).contains(column), "no such module")
    return modules[row * size + column]
  }
}
