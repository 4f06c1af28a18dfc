public import BumpWallet

/// Signs people in by a code that is sent to their address, and keeps their wrapped keys.
///
/// The code shows that somebody reads the messages to an address, and no more: it opens no wallet. What could destroy
/// one, such as the removal of a device, needs the wallet's signature too, so that a stolen mailbox cannot do it.
///
/// Each operation is one transaction of its store. The time is the caller's: it should never run backwards, as that of a
/// vault's store does not.
public struct SignIn: Sendable {
  let store: any AccountStore
  let keys: AccountKeys
  /// The limits for codes, sessions and devices.
  public let limits: SignInLimits
  /// The domain in which wallets sign changes.
  let domain: Domain
  /// Draws that many bytes that nobody can predict.
  let random: @Sendable (Int) -> [UInt8]

  /// - Parameters:
  ///   - domain: the domain of the vault, in which wallets sign changes.
  ///   - random: draws bytes that nobody can predict.
  public init(
    _ store: any AccountStore, keys: AccountKeys, limits: SignInLimits = SignInLimits(), domain: Domain,
    random: @escaping @Sendable (Int) -> [UInt8] = SignIn.systemRandom
  ) {
    (self.store, self.keys, self.limits, self.domain, self.random) = (store, keys, limits, domain, random)
  }

  /// Draws bytes from the system's generator.
  @Sendable public static func systemRandom(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }

  func token() -> SignInToken { SignInToken(bytes: random(SignInToken.count)) }

  func id() -> Bytes32 {
    guard let id = Bytes32(random(32)) else { preconditionFailure("an id has 32 bytes") }
    return id
  }
}

/// What an operation of the store decided. It is returned and not thrown: a refusal, too, may have something to write,
/// such as a guess that was counted.
typealias Decided<Answer> = Result<Answer, SignInRefusal>
