/// A card's picture: its bytes, of which the first say that it is a JPEG, PNG or GIF. Nothing here decodes a picture.
public struct Photo: Hashable, Sendable {
  public let bytes: [UInt8]
  /// What the first octets say of the picture.
  public let header: ImageHeader

  /// Makes a photo; `nil` unless it is a picture of a known type of at most `CardLimits.photo` bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= CardLimits.photo, let header = ImageHeader(bytes) else { return nil }
    (self.bytes, self.header) = (bytes, header)
  }
}
