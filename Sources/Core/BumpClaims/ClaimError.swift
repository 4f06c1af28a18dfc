/// Why bytes or a text are not a valid claim, or part of one. Errors are equal if their codes are.
public struct ClaimError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case amount, token, claimID, displayName, secret, claim, link, linkMAC }
    private let kind: Kind

    /// Not a valid `Amount`.
    public static let amount = Code(kind: .amount)
    /// Not a valid `Token`.
    public static let token = Code(kind: .token)
    /// Not a valid `ClaimID`.
    public static let claimID = Code(kind: .claimID)
    /// Not a valid `DisplayName`.
    public static let displayName = Code(kind: .displayName)
    /// Not a `ClaimSecret` of 16 bytes.
    public static let secret = Code(kind: .secret)
    /// A claim payload that is not in its only encoding.
    public static let claim = Code(kind: .claim)
    /// Not a valid claim link, or not a valid link base.
    public static let link = Code(kind: .link)
    /// A link whose MAC is not valid.
    public static let linkMAC = Code(kind: .linkMAC)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What is wrong, for a person. It never repeats what a peer sent.
  public let reason: String
  /// What to try, as a sentence; `nil` if there is no remedy, or the reason says it.
  public let remedy: String?

  package init(_ code: Code, _ reason: String, remedy: String? = nil) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }

  /// The reason, and the remedy as a separate sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
