/// The type and size of a picture, read from its first octets. The picture itself is not decoded.
public struct ImageHeader: Hashable, Sendable {
  /// The type of a picture. Its raw value is its name in a card's TYPE.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// A JPEG (ITU-T T.81), by its marker SOI (FF D8) and the FF of the next marker.
    case jpeg = "JPEG"
    /// A PNG, by its signature of eight bytes (PNG, third edition, §5.2).
    case png = "PNG"
    /// A GIF, by `GIF87a` or `GIF89a`.
    case gif = "GIF"
  }

  /// The size of a picture in pixels: at least one in each direction.
  public struct Dimensions: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
  }

  /// The type, by the first bytes alone: a file name or a TYPE does not count.
  public let format: Format
  /// The picture's size; `nil` if its header does not say it.
  public let dimensions: Dimensions?

  /// Reads the header of a picture; `nil` unless the first octets are those of a JPEG, PNG or GIF.
  public init?(_ bytes: [UInt8]) {
    var octets = Octets(bytes)
    if octets.take(Self.pngSignature) {
      (format, dimensions) = (.png, Self.png(&octets))
    } else if octets.take(Array("GIF87a".utf8)) || octets.take(Array("GIF89a".utf8)) {
      (format, dimensions) = (.gif, Self.gif(&octets))
    } else if octets.take([0xFF, 0xD8]), octets.peek() == 0xFF {
      (format, dimensions) = (.jpeg, Self.jpeg(&octets))
    } else {
      return nil
    }
  }

  private static let pngSignature: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]

  /// Reads IHDR, the first chunk (PNG, third edition, §11.2.1): width and height, of which the highest bit is zero.
  private static func png(_ octets: inout Octets) -> Dimensions? {
    guard octets.number(of: 4) == 13, octets.take(Array("IHDR".utf8)) else { return nil }
    guard let width = octets.number(of: 4), let height = octets.number(of: 4) else { return nil }
    return width <= Int(Int32.max) && height <= Int(Int32.max) ? dimensions(width, height) : nil
  }

  /// Reads the logical screen descriptor (GIF89a §18), which is little-endian.
  private static func gif(_ octets: inout Octets) -> Dimensions? {
    guard let width = octets.number(of: 2), let height = octets.number(of: 2) else { return nil }
    return dimensions(Int(UInt16(width).byteSwapped), Int(UInt16(height).byteSwapped))
  }

  /// Reads the first frame header (ITU-T T.81 §B.2.2). Skips the segments before it by their lengths.
  private static func jpeg(_ octets: inout Octets) -> Dimensions? {
    while octets.next() == 0xFF {
      var marker = octets.next()
      // Fill bytes (§B.1.1.2).
      while marker == 0xFF { marker = octets.next() }
      guard let marker, let length = octets.number(of: 2), length >= 2 else { return nil }
      switch marker {
      case 0xC4, 0xC8, 0xCC:
        octets.skip(length - 2)
      case 0xC0...0xCF:
        guard octets.next() != nil, let height = octets.number(of: 2), let width = octets.number(of: 2) else {
          return nil
        }
        return dimensions(width, height)
      // Markers without a segment, the end, and a scan before its frame.
      case 0x00...0x01, 0xD0...0xDA:
        return nil
      default:
        octets.skip(length - 2)
      }
    }
    return nil
  }

  private static func dimensions(_ width: Int, _ height: Int) -> Dimensions? {
    width > 0 && height > 0 ? Dimensions(width: width, height: height) : nil
  }
}

/// Reads octets from the front. Past the end there are none.
private struct Octets {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func peek() -> UInt8? { rest.first }

  mutating func next() -> UInt8? { rest.popFirst() }

  mutating func take(_ octets: [UInt8]) -> Bool {
    guard rest.starts(with: octets) else { return false }
    skip(octets.count)
    return true
  }

  /// Reads a big-endian number of at most four octets; `nil` if there are fewer.
  mutating func number(of count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    defer { skip(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }
}
