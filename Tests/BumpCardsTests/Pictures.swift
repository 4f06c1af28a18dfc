/// Pictures as files have them, as far as their headers go.
enum Pictures {
  /// A PNG's signature and its IHDR: 7 × 5 pixels in grey (PNG, third edition, §5.2, §11.2.1).
  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0, 7, 0, 0, 0, 5, 8, 0, 0, 0, 0]
  /// A GIF's logical screen descriptor: 300 × 5 pixels, so that the order of the octets shows.
  static let gif: [UInt8] = Array("GIF89a".utf8) + [0x2C, 0x01, 5, 0, 0, 0, 0]

  static let jpegStart: [UInt8] = [0xFF, 0xD8]
  /// APP0 of a JFIF file.
  static let jfif = segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
  /// A frame header with a marker of SOF0 to SOF15: 8 bits, 5 rows of 7 pixels, one component.
  static func frame(_ marker: UInt8 = 0xC0, height: [UInt8] = [0, 5], width: [UInt8] = [0, 7]) -> [UInt8] {
    segment(marker, [8] + height + width + [1, 1, 0x11, 0])
  }
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }
  static let jpeg = jpegStart + jfif + frame()
}
