/// The reason why a key, a signature or a message to sign is not valid. Errors are equal if their codes are.
public struct WalletError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case privateKey, address, bytes32, signature, receiver, token, chain, vault, changedVault, file, missingFile,
        existingFile
    }
    private let kind: Kind

    /// A private key is not 32 bytes, or not between 1 and n − 1, or a key file contains none.
    public static let privateKey = Code(kind: .privateKey)
    /// An address is not 20 bytes of hex, or its EIP-55 checksum is wrong.
    public static let address = Code(kind: .address)
    /// A hash or an id is not 32 bytes of hex.
    public static let bytes32 = Code(kind: .bytes32)
    /// A signature does not have the one allowed form.
    public static let signature = Code(kind: .signature)
    /// A receiver cannot be paid: it is the zero address, the vault or the token.
    public static let receiver = Code(kind: .receiver)
    /// The vault does not hold a token.
    public static let token = Code(kind: .token)
    /// An embedded vault must not name this chain.
    public static let chain = Code(kind: .chain)
    /// A vault's description contradicts itself.
    public static let vault = Code(kind: .vault)
    /// A vault's description differs from the pinned one.
    public static let changedVault = Code(kind: .changedVault)
    /// A wallet's file cannot be read or made, or others may read it.
    public static let file = Code(kind: .file)
    /// A wallet's file does not exist.
    public static let missingFile = Code(kind: .missingFile)
    /// A wallet's file would be overwritten.
    public static let existingFile = Code(kind: .existingFile)
  }

  /// The kind of error, the only part that `==` compares.
  public let code: Code
  /// What is wrong, for a person. It never repeats the input of a peer, nor any part of a key.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  public let remedy: String?
  /// The system's error for a wallet's file.
  public let underlying: (any Error)?

  init(_ code: Code, _ reason: String, remedy: String? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
    self.underlying = underlying
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
