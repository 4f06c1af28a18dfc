/// The picture of a card: a JPEG, PNG or GIF by its first bytes. It is never decoded here.
public struct Photo: Hashable, Sendable {
  /// The picture, as in a file of its type: at most `CardLimits.photo` bytes.
  public let bytes: [UInt8]
  /// The header, read from the first bytes.
  public let header: ImageHeader

  /// Makes a photo; `nil` unless it is a picture of a known type of at most `CardLimits.photo` bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= CardLimits.photo, let header = ImageHeader(bytes) else { return nil }
    (self.bytes, self.header) = (bytes, header)
  }
}
