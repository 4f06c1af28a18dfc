/// A product that people open by a link: its app and App Clip, and the experiences that open them.
public struct Product: Hashable, Sendable {
  /// The product's id: 1 to 32 of `a-z 0-9 -`.
  public let id: String
  /// The name for people.
  public let name: String
  /// The ten characters of the team; `nil` if none is given.
  public let team: String?
  /// The bundle id of the app; `nil` if none is given.
  public let app: String?
  /// The bundle id of the App Clip; `nil` if none is given.
  public let clip: String?
  /// The App Group of both; `nil` if nothing is handed over.
  public let group: String?
  /// The size that the product allows its App Clip, in megabytes; `nil` if none is given.
  public let size: Int64?
  /// The label of the button that follows the preview.
  public let next: String
  /// The experiences, each with its own id.
  public let experiences: [Experience]
  /// What the App Clip hands over to the app; `nil` for nothing.
  public let handover: Handover?
  /// The web page that the App Clip shows; `nil` if it shows no page that may post messages.
  public let page: Page?

  /// A web page that an App Clip shows.
  public struct Page: Hashable, Sendable {
    /// The origin whose messages count: `https://` and a host.
    public let origin: String
    /// The keys under which the page may leave a value.
    public let keys: [String]
  }
}

/// The URLs that open a product, the values to capture from them, and the preview.
public struct Experience: Hashable, Sendable {
  /// What a URL of an experience opens.
  public enum Target: String, Sendable {
    /// The App Clip, or the app once it is installed.
    case clip
    /// Only the app.
    case app
  }

  /// The experience's id: 1 to 32 of `a-z 0-9 -`.
  public let id: String
  /// The hosts, in lower case.
  public let hosts: [String]
  /// The patterns of the paths.
  public let paths: [PathPattern]
  /// The items of the query to capture, sorted by name. Other items are ignored.
  public let query: [QueryItem]
  /// The name under which the URL itself is captured, without query, fragment and trailing slash; `nil` if it is not.
  public let url: String?
  /// Whether a fragment is that of a claim link.
  public let hasClaimLink: Bool
  /// What a URL opens.
  public let opens: Target
  /// The lines of the preview.
  public let preview: [PreviewLine]
}

extension Experience {
  /// Returns the rule of a captured segment, or of a captured item of the query; `nil` if none has this name.
  func rule(of name: String) -> CaptureRule? {
    for path in paths {
      for case .capture(name, let rule) in path.segments { return rule }
    }
    return query.first { $0.name == name }?.rule
  }
}

/// The path of a URL: words, and segments to capture.
public struct PathPattern: Hashable, Sendable {
  /// The greatest number of segments.
  public static let limit = 8

  /// One segment.
  public enum Segment: Hashable, Sendable {
    /// Exactly this word.
    case word(String)
    /// Any segment, captured under this name if the rule allows it.
    case capture(String, CaptureRule)
  }

  /// The segments, in order.
  public let segments: [Segment]
}

/// An item of a query to capture.
public struct QueryItem: Hashable, Sendable {
  /// The name of the item, and of the captured value.
  public let name: String
  /// The rule for the value. An item whose value breaks it counts as absent.
  public let rule: CaptureRule
}

/// What an App Clip leaves for its app in their App Group.
public enum Handover: Hashable, Sendable {
  /// One captured value, as it is.
  case value(key: String, of: String)
  /// One JSON object of captured values and other fields, with the time. The app drops it after so many seconds.
  case record(key: String, fields: [Field], seconds: Int64)
  /// Messages, in a store of the App Clip's own.
  case messages(store: String)

  /// A field of a record.
  public struct Field: Hashable, Sendable {
    /// The name: that of a captured value, or of a value that the App Clip has learnt.
    public let name: String
    /// Whether the field is a whole number. Otherwise it is a string.
    public let isInteger: Bool
  }
}
