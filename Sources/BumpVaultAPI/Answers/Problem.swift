public import BumpVault

/// Why the vault does not do what it was asked for, as problem details (RFC 9457).
public struct Problem: Error, Hashable, Sendable {
  public let kind: Kind
  /// What is wrong this time, for a person. It has nothing in it of what is no client's business.
  public let detail: String
  /// What to try, a sentence; `nil` where nothing helps.
  public let remedy: String?
  /// The field that is meant.
  public let field: String?
  /// From when on the request may succeed, in seconds since 1970.
  public let notBefore: Int64?
  /// Whole seconds after which to ask again: the header `Retry-After`.
  public let retryAfter: Int64?
  /// Of the payment that stands in the way.
  public let receipt: SignedReceipt?

  public init(
    _ kind: Kind, _ detail: String, remedy: String? = nil, field: String? = nil, notBefore: Int64? = nil,
    retryAfter: Int64? = nil, receipt: SignedReceipt? = nil
  ) {
    (self.kind, self.detail, self.remedy, self.field) = (kind, detail, remedy, field)
    (self.notBefore, self.retryAfter, self.receipt) = (notBefore, retryAfter, receipt)
  }

  /// A kind of problem. Clients tell them apart by `type`, which stays.
  public struct Kind: Hashable, Sendable {
    /// Lower-case words with hyphens between them.
    public let name: String
    /// The status of HTTP.
    public let status: Int
    /// The same for every problem of this kind.
    public let title: String

    init(_ name: String, _ status: Int, _ title: String) {
      (self.name, self.status, self.title) = (name, status, title)
    }

    /// A reference to the kind, relative to the server.
    public var type: String { "/problems/\(name)" }
  }

  public var answer: Answer {
    Answer(
      kind.status,
      [
        "type": .string(kind.type), "title": .string(kind.title), "status": .integer(Int64(kind.status)),
        "detail": .string(detail), "remedy": .text(remedy), "field": .text(field),
        "notBefore": notBefore.map { .integer($0) }, "receipt": receipt?.json,
      ], type: "application/problem+json",
      headers: retryAfter.map { [Answer.Header("Retry-After", String(max(1, $0)))] } ?? [])
  }
}
