import FoundationEssentials

/// The profile in a verified event. Its texts are cut to a length that can be shown.
public struct NostrProfile: Hashable, Sendable {
  /// The event that the profile was read from.
  public let event: ProfileEvent
  /// `display_name`, or `name` if that is blank (NIP-24).
  public let name: String?
  /// The https address of the author's picture. It is never fetched here.
  public let picture: String?
  /// The author's car, from RoadFlare's own fields: colour, make and model.
  public let vehicle: String?

  /// The greatest length of a text in Unicode scalars.
  static let limit = 256
  /// The greatest length of a picture's address in bytes.
  static let pictureLimit = 2048

  /// Reads the profile in an event; `nil` unless the content is a JSON object: otherwise there is nothing to show.
  public init?(_ event: ProfileEvent) {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(event.content.utf8)) else { return nil }
    self.event = event
    name = Self.trimmed(content["display_name"]) ?? Self.trimmed(content["name"])
    picture = Self.trimmed(content["picture"], to: Self.pictureLimit + 1).flatMap { text in
      let isShort = text.utf8.count <= Self.pictureLimit
      // An address is ASCII. Anything else in it would be shown as if it were a part of the address.
      let isAddress = text.lowercased().hasPrefix("https://") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      return isShort && isAddress ? text : nil
    }
    let parts = ["car_color", "car_make", "car_model"].compactMap { Self.trimmed(content[$0]) }
    vehicle = parts.isEmpty ? nil : Self.trimmed(parts.joined(separator: " "))
  }

  /// Returns a text without white space at its ends, cut to so many scalars; `nil` if nothing is left.
  private static func trimmed(_ text: String?, to limit: Int = limit) -> String? {
    guard let text else { return nil }
    let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(limit)
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(String.UnicodeScalarView(scalars[...$0])) }
  }

  /// The fields that are strings. A field of another type counts as absent.
  private struct Content: Decodable {
    private enum Field: String, CodingKey, CaseIterable {
      case name, picture
      case displayName = "display_name"
      case carColor = "car_color"
      case carMake = "car_make"
      case carModel = "car_model"
    }

    private let strings: [String: String]

    subscript(name: String) -> String? { strings[name] }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Field.self)
      var strings: [String: String] = [:]
      for field in Field.allCases { strings[field.rawValue] = try? fields.decode(String.self, forKey: field) }
      self.strings = strings
    }
  }
}

extension NostrProfile {
  /// Returns the profile whose event replaces all others, from what several relays sent for one person.
  public static func newest(of profiles: [NostrProfile]) -> NostrProfile? {
    profiles.max { $1.event.replaces($0.event) }
  }
}
