import FoundationEssentials

/// What a verified event says of its author, cut to what can be shown.
public struct NostrProfile: Hashable, Sendable {
  public let event: ProfileEvent
  /// `display_name`, or where that is blank `name` (NIP-24).
  public let name: String?
  /// Where the author's picture is, by https. It is never fetched here.
  public let picture: String?
  /// The author's car, RoadFlare's own fields: colour, make and model.
  public let vehicle: String?

  /// Unicode scalars of a text, at most.
  static let limit = 256
  /// Bytes of a picture's address, at most.
  static let pictureLimit = 2048

  /// - Returns: `nil` unless the content is a JSON object: then there is nothing to show.
  public init?(_ event: ProfileEvent) {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(event.content.utf8)) else { return nil }
    self.event = event
    name = Self.trimmed(content["display_name"]) ?? Self.trimmed(content["name"])
    picture = content["picture"].flatMap { text in
      let isShort = text.utf8.count <= Self.pictureLimit
      // An address is ASCII; whatever else is in there would be shown as if it was one.
      return isShort && text.hasPrefix("https://") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }
    let parts = ["car_color", "car_make", "car_model"].compactMap { Self.trimmed(content[$0]) }
    vehicle = parts.isEmpty ? nil : Self.trimmed(parts.joined(separator: " "))
  }

  /// Without white space around it, and cut; `nil` for nothing.
  private static func trimmed(_ text: String?) -> String? {
    guard let text else { return nil }
    let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(limit)
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(String.UnicodeScalarView(scalars[...$0])) }
  }

  /// The fields that are strings: one of another type counts as absent.
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
  /// Returns the profile whose event replaces all others: what several relays sent of one person.
  public static func newest(of profiles: [NostrProfile]) -> NostrProfile? {
    profiles.max { $1.event.replaces($0.event) }
  }
}
