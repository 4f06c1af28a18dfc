import BumpCards
import Testing

@Suite struct ImageHeaderTests {
  private func expect(_ format: ImageHeader.Format, _ width: Int, _ height: Int, in bytes: [UInt8]) throws {
    let header = try #require(ImageHeader(bytes))
    #expect(header.format == format)
    #expect(header.dimensions?.width == width && header.dimensions?.height == height)
  }

  @Test func `a PNG, a GIF and a JPEG say how large they are`() throws {
    try expect(.png, 7, 5, in: Pictures.png)
    try expect(.gif, 300, 5, in: Pictures.gif)
    try expect(.gif, 300, 5, in: Array("GIF87a".utf8) + Pictures.gif.dropFirst(6))
    try expect(.jpeg, 7, 5, in: Pictures.jpeg)
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
  func `a JPEG of each kind of frame says how large it is`(marker: UInt8) throws {
    try expect(.jpeg, 7, 5, in: Pictures.jpegStart + Pictures.frame(marker))
  }

  @Test func `the picture within a JPEG's metadata is not the picture`() throws {
    let thumbnail = Pictures.jpegStart + Pictures.frame(height: [0, 99], width: [0, 99])
    let metadata = Pictures.segment(0xE1, Array("Exif".utf8) + [0, 0] + thumbnail)
    try expect(.jpeg, 7, 5, in: Pictures.jpegStart + metadata + Pictures.frame())
  }

  @Test func `tables before the frame, and fill octets, are skipped`() throws {
    for table in [0xC4, 0xC8, 0xCC, 0xDB, 0xDD, 0xFE] as [UInt8] {
      let segment = Pictures.segment(table, Array(repeating: 0xFF, count: 9))
      try expect(.jpeg, 7, 5, in: Pictures.jpegStart + [0xFF, 0xFF] + segment + Pictures.frame())
    }
  }

  @Test(arguments: [Pictures.png, Pictures.gif, Pictures.jpeg])
  func `a picture that is cut anywhere is read without dimensions, or not at all`(bytes: [UInt8]) throws {
    let whole = try #require(ImageHeader(bytes))
    for count in bytes.indices {
      guard let header = ImageHeader(Array(bytes.prefix(count))) else { continue }
      #expect(header.format == whole.format)
      #expect(header.dimensions == nil || header.dimensions == whole.dimensions)
    }
  }

  static let vague: [(why: String, bytes: [UInt8])] = [
    ("a JPEG of no height yet", jpeg(Pictures.frame(height: [0, 0]))),
    ("a JPEG of no width", jpeg(Pictures.frame(width: [0, 0]))),
    ("a JPEG whose scan comes first", jpeg(Pictures.segment(0xDA, [0]), Pictures.frame())),
    ("a JPEG that is over", jpeg([0xFF, 0xD9], Pictures.frame())),
    ("a JPEG with a segment shorter than its length", jpeg([0xFF, 0xE0, 0, 1], Pictures.frame())),
    ("a JPEG with octets between its segments", jpeg([0xFF, 0xE0, 0, 2, 0], Pictures.frame())),
    ("a PNG whose first chunk is another", png(12, Array("IDAT".utf8) + [0, 0, 0, 7, 0, 0, 0, 5])),
    ("a PNG wider than the standard allows", png(16, [0x80, 0, 0, 0, 0, 0, 0, 5])),
    ("a PNG of no height", png(20, [0, 0, 0, 0])),
    ("a GIF of no width", Array(Pictures.gif.prefix(6)) + [0, 0, 5, 0]),
  ]

  private static func jpeg(_ parts: [UInt8]...) -> [UInt8] { Pictures.jpegStart + parts.joined() }
  private static func png(_ count: Int, _ rest: [UInt8]) -> [UInt8] { Array(Pictures.png.prefix(count)) + rest }

  @Test(arguments: vague)
  func `no dimensions are made up`(why: String, bytes: [UInt8]) throws {
    let header = try #require(ImageHeader(bytes), "\(why)")
    #expect(header.dimensions == nil, "\(why)")
  }

  @Test(arguments: [
    "nothing": "", "a page": "<html>", "a program": "\u{7F}ELF", "a WebP": "RIFF\0\0\0\0WEBP", "a drawing": "<svg/>",
    "a GIF of another version": "GIF88a", "a bitmap": "BM",
  ])
  func `anything else is no picture`(why: String, text: String) {
    #expect(ImageHeader(Array(text.utf8)) == nil, "\(why)")
  }

  @Test func `a JPEG's first two octets alone are no picture`() {
    #expect(ImageHeader([0xFF, 0xD8]) == nil)
    #expect(ImageHeader([0xFF, 0xD8, 0x00]) == nil)
  }
}
