import FoundationEssentials

/// An event of kind 0, a person's profile. Only an event that passes all checks becomes one.
public struct ProfileEvent: Hashable, Sendable {
  /// The person whose profile it is, who signed the event.
  public let author: NostrKey
  /// The 32 bytes of the id.
  public let id: [UInt8]
  /// When the event was made, in seconds since 1970, by its author's clock.
  public let createdAt: Int64
  /// The text of the author, usually a JSON object.
  public let content: String

  /// Why an event is rejected, in the order of the checks. Nothing of such an event is shown.
  public enum Refusal: String, Error, Sendable, CaseIterable {
    /// A field is missing, or of another type or form.
    case malformed
    /// The event is not of kind 0.
    case kind
    /// The event is another person's.
    case author
    /// The id is not the SHA-256 of the other fields.
    case id
    /// The signature is not the author's.
    case signature
    /// The event is from more than 900 seconds ahead.
    case future
  }

  /// How many seconds an author's clock may be ahead.
  public static let tolerance: Int64 = 900

  /// Reads an event, a JSON object, and checks it.
  ///
  /// - Parameters:
  ///   - author: the person whose event was requested.
  ///   - now: the time in seconds since 1970.
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

  /// Returns whether this event replaces another of the same author (NIP-01): it is newer, or of the same second and
  /// has a lower id.
  public func replaces(_ other: ProfileEvent) -> Bool {
    createdAt == other.createdAt ? id.lexicographicallyPrecedes(other.id) : createdAt > other.createdAt
  }
}
