/// Why bytes or text are not what the protocol allows. Errors are equal if their codes are.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was not right. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case amount, token, claimID, displayName, secret, claim, offer, link, frame, message }
    private let kind: Kind

    public static let amount = Code(kind: .amount)
    public static let token = Code(kind: .token)
    public static let claimID = Code(kind: .claimID)
    public static let displayName = Code(kind: .displayName)
    public static let secret = Code(kind: .secret)
    public static let claim = Code(kind: .claim)
    public static let offer = Code(kind: .offer)
    public static let link = Code(kind: .link)
    public static let frame = Code(kind: .frame)
    public static let message = Code(kind: .message)
  }

  public let code: Code
  /// One sentence for a person. It never repeats what a peer sent.
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
