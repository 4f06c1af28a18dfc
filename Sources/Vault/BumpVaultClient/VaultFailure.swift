import BumpText
public import BumpVaultAPI
public import BumpWallet

/// The reason why a vault did not do what a session asked for, or cannot be trusted. Errors are equal if their codes
/// are.
public struct VaultFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unreachable, overdue, refused, changed, untrusted, unsupported, submitted }
    private let kind: Kind

    /// No answer was received, or the answer does not say whether the request was carried out.
    public static let unreachable = Code(kind: .unreachable)
    /// The time was up before an answer was received.
    public static let overdue = Code(kind: .overdue)
    /// The vault refused the request, or will not carry it out by its own limits.
    public static let refused = Code(kind: .refused)
    /// The vault is not the one that was confirmed, or it names a chain that it must not name.
    public static let changed = Code(kind: .changed)
    /// The answer is not one that a vault gives, contradicts the claim, or lacks the vault's signature.
    public static let untrusted = Code(kind: .untrusted)
    /// A transaction carries the request to the chain, which has not confirmed it yet. `transaction` is its hash.
    public static let submitted = Code(kind: .submitted)
    /// This vault does not offer what was asked for.
    public static let unsupported = Code(kind: .unsupported)
  }

  /// The kind of failure, the only part that `==` compares.
  public let code: Code
  /// What failed, for a person. If the vault refused, this quotes the vault: its words are in quotes, escaped, and cut to
  /// 200 columns.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps. The vault's advice is quoted too.
  public let remedy: String?
  /// The kind of the vault's refusal; `nil` for other failures, and for an unknown kind.
  public let problem: Problem.Kind?
  /// The hash of the transaction that carries the request to the chain, by the vault's word; `nil` for none.
  public let transaction: Bytes32?

  init(
    _ code: Code, _ reason: String, remedy: String? = nil, problem: Problem.Kind? = nil, transaction: Bytes32? = nil
  ) {
    (self.code, self.reason, self.remedy, self.problem) = (code, reason, remedy, problem)
    self.transaction = transaction
  }

  /// Returns the failure for a request that is carried and not confirmed yet.
  static func submitted(_ transaction: Bytes32) -> Self {
    Self(
      .submitted, "it is carried by the transaction \(transaction), and not confirmed yet", remedy: "Ask again later",
      transaction: transaction)
  }

  init(_ problem: ProblemResponse) {
    self.init(
      .refused, "the vault says: \(Self.quoted(problem.detail))",
      remedy: problem.remedy.map { "The vault advises: \(Self.quoted($0))" }, problem: problem.kind)
  }

  /// The greatest width of a vault's words, in columns.
  private static let columns = 200

  private static func quoted(_ words: String) -> String { QuotedName.of(words, columns: columns) }

  /// Returns the failure for a refusal that the vault may not have made: somebody on the way may have passed the request
  /// on.
  static func unauthentic(_ problem: ProblemResponse) -> Self {
    Self(
      .untrusted,
      "the vault says: \(quoted(problem.detail)), but this is not authenticated, and an intermediary may have said it",
      problem: problem.kind)
  }

  /// Returns the failure for an answer that contradicts the claim or is not a vault's.
  static func untrusted(_ reason: String) -> Self {
    Self(.untrusted, "the vault's answer cannot be believed: \(reason)", remedy: "Tell the vault's operator")
  }

  static func unreachable(_ reason: VaultReply.Reason) -> Self {
    Self(.unreachable, "no answer from the vault: \(reason.words)", remedy: reason.remedy)
  }

  static func unsupported(_ error: WalletError) -> Self { Self(.unsupported, error.reason, remedy: error.remedy) }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
