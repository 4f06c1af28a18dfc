/// The error for a card that cannot be shared or fetched. Errors are equal if their codes are.
public struct SharedCardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private let name: String
    private init(_ name: String) { self.name = name }

    /// The card has no bytes.
    public static let empty = Code("empty")
    /// The card has more than `SharedCard.limit` bytes.
    public static let tooLarge = Code("tooLarge")
    /// The text is not a link of a shared card.
    public static let link = Code("link")
    /// The store has no card of that name, or the card has expired. A stranger cannot tell which.
    public static let absent = Code("absent")
    /// The store has something else under that name.
    public static let damaged = Code("damaged")
    /// The key of the link does not decrypt what the store has.
    public static let notAuthentic = Code("notAuthentic")
    /// The store cannot be read or written.
    public static let store = Code("store")
  }

  /// What failed, for a program.
  public let code: Code
  /// What failed, in one line without a full stop.
  public let reason: String
  /// What to try, as a sentence without a full stop.
  public let remedy: String?

  /// The error of a store that does not have a card.
  public static let absent = SharedCardError(.absent)
  /// The error for a record that is not valid.
  public static let damaged = SharedCardError(.damaged)

  init(_ code: Code) {
    let words: (String, String?)
    switch code {
    case .empty: words = ("the card is empty", nil)
    case .tooLarge: words = ("the card has more than \(SharedCard.limit) bytes", "Make its photo smaller")
    case .link: words = ("that is not a whole link of a shared card", "Scan it again, or ask for a new one")
    case .absent: words = ("there is no such card, or it has expired", "Ask for a new link")
    case .damaged: words = ("what the store has is not a shared card", "Ask for a new link")
    default: words = ("the card was changed, or is not the one that the link was made for", "Ask for a new link")
    }
    self.init(code, words.0, remedy: words.1)
  }

  package init(_ code: Code, _ reason: String, remedy: String? = nil) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
  }

  public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}
