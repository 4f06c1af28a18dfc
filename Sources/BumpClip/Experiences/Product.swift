/// A product that people meet by a link: its app and App Clip, and the experiences that open them.
public struct Product: Hashable, Sendable {
  /// The product's id: 1 to 32 of `a-z 0-9 -`.
  public let id: String
  /// The name for people.
  public let name: String
  /// The ten characters of the team; `nil` where none is given.
  public let team: String?
  /// The bundle id of the app; `nil` where none is given.
  public let app: String?
  /// The bundle id of the App Clip; `nil` where none is given.
  public let clip: String?
  /// The App Group of both; `nil` where nothing is handed over.
  public let group: String?
  /// The size that the product allows its App Clip, in megabytes.
  public let size: Int64?
  /// What the button says that leads on from the preview.
  public let next: String
  /// The experiences, each with an id of its own.
  public let experiences: [Experience]
  /// What the App Clip hands to the app; `nil` for nothing.
  public let handover: Handover?
  /// The web page that the App Clip shows; `nil` where it shows none that may post messages.
  public let page: Page?

  /// A web page that an App Clip shows.
  public struct Page: Hashable, Sendable {
    /// The origin whose messages count: `https://` and a host.
    public let origin: String
    /// The keys under which the page may leave a value.
    public let keys: [String]
  }
}

/// The URLs that open a product, and what is captured of them and shown.
public struct Experience: Hashable, Sendable {
  /// What a URL of an experience opens.
  public enum Opening: String, Sendable {
    /// The App Clip, or the app once it is installed.
    case clip
    /// The app alone.
    case app
  }

  /// The experience's id: 1 to 32 of `a-z 0-9 -`.
  public let id: String
  /// The hosts, in lower case.
  public let hosts: [String]
  /// The patterns of its paths.
  public let paths: [PathPattern]
  /// The items of the query that are captured, by their names. Others are free.
  public let query: [QueryItem]
  /// The name by which the URL is captured in place of its segments, without query, fragment and trailing slash.
  public let url: String?
  /// Whether a fragment is that of a claim link.
  public let hasClaimLink: Bool
  /// What is opened.
  public let opens: Opening
  /// The lines of the preview.
  public let preview: [PreviewLine]
}

/// The path of a URL: words, and segments that are captured.
public struct PathPattern: Hashable, Sendable {
  /// Segments of a path, at most.
  public static let limit = 8

  /// One segment.
  public enum Segment: Hashable, Sendable {
    /// Exactly this word.
    case word(String)
    /// Anything, which is captured by this name if the rule allows it.
    case capture(String, CaptureRule)
  }

  /// The segments, in order.
  public let segments: [Segment]
}

/// An item of a query that is captured.
public struct QueryItem: Hashable, Sendable {
  /// The name, which is that of the captured value too.
  public let name: String
  /// What the value must be. Otherwise the item counts as absent.
  public let rule: CaptureRule
}

/// What an App Clip leaves for its app in their App Group.
public enum Handover: Hashable, Sendable {
  /// One captured value, as it is.
  case value(key: String, of: String)
  /// One JSON object of captured values and of what else is known, with the time. It is dropped when it is older than this.
  case record(key: String, fields: [Field], seconds: Int64)
  /// Messages, in a store of the clip's own.
  case messages(store: String)

  /// A field of a record.
  public struct Field: Hashable, Sendable {
    /// The name: that of a captured value, or of something that the App Clip has learnt.
    public let name: String
    /// Whether it is a whole number. Otherwise it is a string.
    public let isInteger: Bool
  }
}
