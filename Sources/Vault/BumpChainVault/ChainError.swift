/// The reason why a vault on a chain cannot be opened, or its chain cannot be asked. Errors are equal if their codes are.
public struct ChainError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unreachable, mismatch, misconfigured, leaseLost, notDeployed }
    private let kind: Kind

    /// No node gives an answer that is of use. `retryAfter` says when to ask again.
    public static let unreachable = Code(kind: .unreachable)
    /// The chain has something else than is configured. The reason names both values.
    public static let mismatch = Code(kind: .mismatch)
    /// The configuration contradicts itself.
    public static let misconfigured = Code(kind: .misconfigured)
    /// Another server uses the relayer's key now.
    public static let leaseLost = Code(kind: .leaseLost)
    /// The contract was not made.
    public static let notDeployed = Code(kind: .notDeployed)
  }

  /// The kind of error, the only part that `==` compares.
  public let code: Code
  /// What is wrong, for the operator.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  public let remedy: String?
  /// After how many seconds to ask again, with `unreachable`.
  public let retryAfter: Int64?

  init(_ code: Code, _ reason: String, remedy: String? = nil, retryAfter: Int64? = nil) {
    (self.code, self.reason, self.remedy, self.retryAfter) = (code, reason, remedy, retryAfter)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
