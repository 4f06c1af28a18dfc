import FoundationEssentials

/// An event of kind 0, a person's profile, that every check has passed. There is no other.
public struct ProfileEvent: Hashable, Sendable {
  public let author: NostrKey
  /// 32 bytes.
  public let id: [UInt8]
  /// Seconds since 1970, by its author's clock.
  public let createdAt: Int64
  /// What the author wrote, usually a JSON object.
  public let content: String

  /// Why an event is not believed, in the order of the checks. Nothing of such an event is shown.
  public enum Refusal: String, Error, Sendable, CaseIterable {
    /// A field is missing, or of another type or form.
    case malformed
    /// It is not of kind 0.
    case kind
    /// It is somebody else's.
    case author
    /// Its id is not the SHA-256 of what it says.
    case id
    /// Its signature is not the author's.
    case signature
    /// It is from more than 900 seconds ahead.
    case future
  }

  /// How many seconds an author's clock may be ahead.
  public static let tolerance: Int64 = 900

  /// Reads an event, a JSON object, and checks it.
  ///
  /// - Parameters:
  ///   - author: whose event was asked for.
  ///   - now: seconds since 1970.
  public init(_ json: [UInt8], by author: NostrKey, at now: Int64) throws(Refusal) {
    guard let event = try? JSONDecoder().decode(UnverifiedEvent.self, from: Data(json)) else { throw .malformed }
    try self.init(event, by: author, at: now)
  }

  init(_ event: UnverifiedEvent, by author: NostrKey, at now: Int64) throws(Refusal) {
    guard event.kind == 0 else { throw .kind }
    guard event.author == author else { throw .author }
    guard event.id == event.computedID else { throw .id }
    guard Schnorr.isValid(event.signature, of: event.id, by: author) else { throw .signature }
    // Neither side of this overflows: no event is from before 1970.
    guard event.createdAt - Self.tolerance <= now else { throw .future }
    self.author = author
    id = event.id
    createdAt = event.createdAt
    content = event.content
  }

  /// Whether this one replaces another of the same author (NIP-01): it is newer, or as new with a lower id.
  public func replaces(_ other: ProfileEvent) -> Bool {
    createdAt == other.createdAt ? id.lexicographicallyPrecedes(other.id) : createdAt > other.createdAt
  }
}
