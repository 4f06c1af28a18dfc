/// Why the store failed. Errors are equal if their codes are.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unusable, notNew, attemptsSpent, ownClaim, busy, tooLate, notAsWritten, failed }
    private let kind: Kind

    /// The store cannot be opened or written: a wrong path, a read-only mount, a full disk, or not a store.
    public static let unusable = Code(kind: .unusable)
    /// The store has no such claim, or the claim is in a state in which it may not be offered.
    public static let notNew = Code(kind: .notNew)
    /// No attempt at the digits is left for this send. Three receivers have seen our key in mode open without taking
    /// the claim, or another send, which is running or was killed, has reserved attempts.
    public static let attemptsSpent = Code(kind: .attemptsSpent)
    /// The link is for a claim that was made in this same store: nothing was received.
    public static let ownClaim = Code(kind: .ownClaim)
    /// Another process held the store for too long. Nothing was written.
    public static let busy = Code(kind: .busy)
    /// Writing took so long that the sender may have given the claim to another receiver, so it was removed again.
    public static let tooLate = Code(kind: .tooLate)
    /// The row read back is not the one written, so the claim was not stored.
    public static let notAsWritten = Code(kind: .notAsWritten)
    /// A read or write failed after the store was opened.
    public static let failed = Code(kind: .failed)
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if there is no remedy, or the reason says it.
  public let remedy: String?
  /// The error of SQLite or the system. It never contains the values of a statement, since a secret may be among them.
  public let underlying: (any Error)?

  package init(_ code: Code, _ reason: String, remedy: String? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
    self.underlying = underlying
  }

  /// The reason, followed by the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension StoreError {
  /// Whether the store may accept the next claim nevertheless.
  package var mayPass: Bool { [.busy, .tooLate, .notAsWritten].contains(code) }

  /// Returns the error of storing this claim from a sender. The sender then counts the claim as unknown.
  package func storing(_ id: ClaimID) -> StoreError {
    // After a failed commit the claim may be in the store.
    let look = mayPass ? "Ask" : "See in the history whether it is here. If it is not, ask"
    return StoreError(
      code, "the claim \(id) could not be stored: \(reason)",
      remedy: "\(look) its sender to settle it as lost, and to send it again", underlying: underlying)
  }

  /// Converts an error of a call of the store, which throws only `StoreError`.
  package init(_ error: any Error) {
    self = error as? StoreError ?? StoreError(.failed, "the store failed: \(type(of: error))", underlying: error)
  }
}
