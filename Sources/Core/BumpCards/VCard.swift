/// A contact card in vCard 3.0 (RFC 2426): the properties that bump shows and writes.
///
/// `VCard.read` makes a card from bytes, and `written` makes bytes from a card. The text of another person's card is
/// not trusted: show it only by `VisibleText` or `QuotedName`.
public struct VCard: Hashable, Sendable {
  /// The parts of a name, the property N. A part may have several names with commas between them.
  public struct Name: Hashable, Sendable {
    /// The family name, the first part of N (RFC 2426 §3.1.2).
    public var family: String
    /// The given name, the second part.
    public var given: String
    /// The additional names, such as a middle name.
    public var additional: String
    /// The honorific prefixes, such as `Dr.`.
    public var prefix: String
    /// The honorific suffixes, such as `Jr.` or `M.D.`.
    public var suffix: String

    /// Makes a name of unescaped parts. A part is empty if the person has none.
    public init(
      family: String = "", given: String = "", additional: String = "", prefix: String = "", suffix: String = ""
    ) {
      (self.family, self.given, self.additional, self.prefix, self.suffix) = (family, given, additional, prefix, suffix)
    }

    /// Whether all parts are blank.
    public var isBlank: Bool { parts.allSatisfy(\.isBlank) }

    /// The parts in N's order.
    var parts: [String] { [family, given, additional, prefix, suffix] }

    /// The parts that are not blank, in the order in which a person writes them: prefix, given, additional, family,
    /// suffix.
    var joined: String {
      [prefix, given, additional, family, suffix].filter { !$0.isBlank }.joined(separator: " ")
    }
  }

  /// The name to show, the property FN.
  public let formattedName: String
  /// The name's parts, the property N.
  public let name: Name
  /// The position or function, the property TITLE; `nil` for none.
  public let title: String?
  /// The organization and its units, the property ORG; empty for none.
  public let organization: [String]
  /// The numbers, the properties TEL, in their order.
  public let telephones: [String]
  /// The addresses, the properties EMAIL, in their order.
  public let emails: [String]
  /// The picture, the property PHOTO; `nil` for none.
  public let photo: Photo?

  /// Makes a card. A blank title, and an organization of blank parts, count as none.
  public init(
    formattedName: String, name: Name, title: String? = nil, organization: [String] = [], telephones: [String] = [],
    emails: [String] = [], photo: Photo? = nil
  ) {
    self.formattedName = formattedName
    self.name = name
    self.title = title.flatMap { $0.isBlank ? nil : $0 }
    self.organization = organization.allSatisfy(\.isBlank) ? [] : organization
    self.telephones = telephones
    self.emails = emails
    self.photo = photo
  }
}

extension StringProtocol {
  /// Whether the text has nothing but spaces and tabs.
  var isBlank: Bool { utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}
