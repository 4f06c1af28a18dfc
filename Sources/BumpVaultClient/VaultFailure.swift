public import BumpVaultAPI
import BumpWallet

/// Why a vault did not do what it was asked for, or cannot be believed. Errors are equal if their codes are.
public struct VaultFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unreachable, overdue, refused, changed, untrusted, unsupported }
    private let kind: Kind

    /// No answer came, or only that the vault cannot say.
    public static let unreachable = Code(kind: .unreachable)
    /// The time was up before an answer came.
    public static let overdue = Code(kind: .overdue)
    /// The vault refused, for a reason of its own.
    public static let refused = Code(kind: .refused)
    /// The vault is not the one that was confirmed, or names a chain that it must not name.
    public static let changed = Code(kind: .changed)
    /// The vault's answer contradicts what is known, or is not signed by it.
    public static let untrusted = Code(kind: .untrusted)
    /// What is asked for cannot be had from this vault.
    public static let unsupported = Code(kind: .unsupported)
  }

  public let code: Code
  /// What failed, for a person. Where the vault refused, it is the vault's word.
  public let reason: String
  /// What to try, a sentence; `nil` where the reason says it, or nothing helps.
  public let remedy: String?
  /// The kind of the vault's refusal; `nil` for other failures, and for a kind that is not known here.
  public let problem: Problem.Kind?

  init(_ code: Code, _ reason: String, remedy: String? = nil, problem: Problem.Kind? = nil) {
    (self.code, self.reason, self.remedy, self.problem) = (code, reason, remedy, problem)
  }

  init(_ problem: ProblemAnswer) {
    self.init(
      .refused, "the vault says: \(problem.detail)", remedy: problem.remedy, problem: problem.kind)
  }

  /// What a vault's answer lacks.
  static func untrusted(_ reason: String) -> Self {
    Self(.untrusted, "the vault's answer cannot be believed: \(reason)", remedy: "Tell whoever runs the vault")
  }

  static func unreachable(_ reason: String) -> Self {
    Self(.unreachable, "the vault does not answer: \(reason)", remedy: "Try again later")
  }

  static func unsupported(_ error: WalletError) -> Self { Self(.unsupported, error.reason, remedy: error.remedy) }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
