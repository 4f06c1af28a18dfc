/// Why a key, a signature or what is to be signed is not valid. Errors are equal if their codes are.
public struct WalletError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was not right. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case privateKey, address, bytes32, signature, receiver, token, chain, vault, changedVault, file, missingFile,
        existingFile
    }
    private let kind: Kind

    /// A private key that is not 32 bytes, or not between 1 and n − 1, or a key file that holds none.
    public static let privateKey = Code(kind: .privateKey)
    /// An address that is not 20 bytes of hex, or whose EIP-55 checksum is wrong.
    public static let address = Code(kind: .address)
    /// A hash or an id that is not 32 bytes of hex.
    public static let bytes32 = Code(kind: .bytes32)
    /// A signature in another form than the one that is allowed.
    public static let signature = Code(kind: .signature)
    /// A receiver that cannot be paid: the zero address, the vault or the token.
    public static let receiver = Code(kind: .receiver)
    /// A token that is not among the vault's.
    public static let token = Code(kind: .token)
    /// A chain that an embedded vault must not name.
    public static let chain = Code(kind: .chain)
    /// A vault's description that contradicts itself.
    public static let vault = Code(kind: .vault)
    /// A vault that describes itself otherwise than when it was pinned.
    public static let changedVault = Code(kind: .changedVault)
    /// A wallet's file that cannot be read or made, or that others may read.
    public static let file = Code(kind: .file)
    /// A wallet's file that is not there.
    public static let missingFile = Code(kind: .missingFile)
    /// A wallet's file that would be overwritten.
    public static let existingFile = Code(kind: .existingFile)
  }

  public let code: Code
  /// What is not right, for a person. It never repeats what a peer sent, nor anything of a key.
  public let reason: String
  /// What to try, a sentence; `nil` where the reason says it, or nothing helps.
  public let remedy: String?
  /// What the system said of a wallet's file.
  public let underlying: (any Error)?

  init(_ code: Code, _ reason: String, remedy: String? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
    self.underlying = underlying
  }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
