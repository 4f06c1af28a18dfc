import BumpText
public import BumpWallet

/// The reason why the vault does not do what a request asks for, as problem details (RFC 9457).
public struct Problem: Error, Hashable, Sendable {
  /// The kind, which determines the answer's status, type and title.
  public let kind: Kind
  /// What is wrong this time, for a person. It tells nothing that clients must not know.
  public let detail: String
  /// What to try, as a sentence; `nil` if nothing helps.
  public let remedy: String?
  /// The name of the field with the problem.
  public let field: String?
  /// The time from which the request may succeed, in seconds since 1970.
  public let notBefore: Int64?
  /// After how many seconds to ask again: the header `Retry-After`, which is 1 at least.
  public let retryAfter: Int64?
  /// The receipt of the earlier payment.
  public let receipt: SignedReceipt?
  /// How many more guesses a code takes.
  public let triesLeft: Int64?
  /// The call of the vault's contract that anybody may carry.
  public let calldata: ContractCall?

  /// Makes a problem. The answer leaves out what is `nil`.
  public init(
    _ kind: Kind, _ detail: String, remedy: String? = nil, field: String? = nil, notBefore: Int64? = nil,
    retryAfter: Int64? = nil, receipt: SignedReceipt? = nil, triesLeft: Int64? = nil, calldata: ContractCall? = nil
  ) {
    (self.kind, self.detail, self.remedy, self.field) = (kind, detail, remedy, field)
    (self.notBefore, self.retryAfter, self.receipt) = (notBefore, retryAfter, receipt)
    (self.triesLeft, self.calldata) = (triesLeft, calldata)
  }

  /// A kind of problem. Clients tell kinds apart by `type`, which never changes.
  public struct Kind: Hashable, Sendable {
    /// Lower-case words with hyphens between them.
    public let name: String
    /// The HTTP status.
    public let status: Int
    /// The title, the same for every problem of this kind.
    public let title: String

    init(_ name: String, _ status: Int, _ title: String) {
      (self.name, self.status, self.title) = (name, status, title)
    }

    /// The URI reference of the kind, relative to the server.
    public var type: String { "/problems/\(name)" }
  }

  /// The answer to the request: `application/problem+json`.
  public var answer: Answer {
    Answer(
      kind.status,
      [
        "type": .string(kind.type), "title": .string(kind.title), "status": .integer(Int64(kind.status)),
        "detail": .string(detail), "remedy": .text(remedy), "field": .text(field),
        "notBefore": notBefore.map { .integer($0) }, "receipt": receipt?.json,
        "triesLeft": triesLeft.map { .integer($0) },
        "calldata": calldata.map { ["to": .text($0.contract), "data": .string(Hex.prefixed($0.data))] },
      ], type: "application/problem+json",
      headers: retryAfter.map { [Answer.Header("Retry-After", String(max(1, $0)))] } ?? [])
  }
}
