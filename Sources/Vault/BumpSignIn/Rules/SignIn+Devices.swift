public import BumpWallet

/// A change with the wallet's signature of it.
public struct SignedWalletChange: Hashable, Sendable {
  public let change: WalletChange
  /// The wallet's address.
  public let wallet: Address
  /// The time in seconds since 1970 until which the signature is valid.
  public let validBefore: Int64
  /// The signature of the `WalletStatement`.
  public let signature: Signature

  public init(_ change: WalletChange, wallet: Address, validBefore: Int64, signature: Signature) {
    (self.change, self.wallet, self.validBefore, self.signature) = (change, wallet, validBefore, signature)
  }

  func isSigned(for account: AccountID, in domain: Domain, at now: Int64) -> Bool {
    let statement = WalletStatement(account: account, change: change, validBefore: validBefore, domain: domain)
    return statement.isValid(at: now) && statement.isSigned(by: wallet, signature)
  }
}

extension SignIn {
  /// Changes what opens an account's wallet.
  ///
  /// The first change decides whose wallet it is. All others need that wallet's signature: whoever reads somebody else's
  /// mail can neither remove a wrapped key, nor take its place.
  ///
  /// - Parameters:
  ///   - token: the token of the browser's cookie.
  ///   - now: the time in seconds since 1970.
  /// - Returns: the account after the change. A device that is added again is there once.
  /// - Throws: `SignInRefusal`, `AccountStoreError`.
  public func change(
    _ signed: SignedWalletChange, in token: SignInToken?, at now: Int64
  ) async throws -> AccountView {
    guard let hash = token.map(keys.hash) else { throw SignInRefusal.notSignedIn }
    let decided: Decided<AccountView> = try await store.change(.session(hash, device: signed.change.device)) {
      [limits, domain] rows in
      guard let session = rows.resume(hash, replacement: nil, at: now, limits),
        var account = rows.accounts[session.account]
      else { return .failure(.notSignedIn) }
      guard signed.isSigned(for: account.key, in: domain, at: now), account.wallet.map({ $0 == signed.wallet }) ?? true
      else { return .failure(.notSigned) }
      account.wallet = signed.wallet
      if let refusal = rows.carryOut(signed.change, &account, session, at: now, limits) { return .failure(refusal) }
      // Nothing is left that the wallet could be opened by. Its owner may begin with another one.
      if account.recovery == nil, rows.devices(of: account.key).isEmpty { account.wallet = nil }
      rows.accounts[account.key] = account
      let device = rows.sessions[session.key]?.device
      return .success(AccountView(account, rows.devices(of: account.key), isOn: device))
    }
    return try decided.get()
  }

  /// A device's wrapped key, for a browser that may be signed in nowhere.
  public struct FoundDevice: Hashable, Sendable {
    public let account: AccountID
    public let wallet: Address
    public let wrapped: WrappedKey
  }

  /// Returns the wrapped key of a passkey. It is no secret: the passkey alone opens it.
  ///
  /// - Throws: `SignInRefusal.unknownDevice`; `AccountStoreError`.
  public func device(of credential: CredentialID) async throws -> FoundDevice {
    let id = DeviceID(credential)
    let rows = try await store.rows(.device(id))
    guard let device = rows.devices[id], let wallet = rows.accounts[device.account]?.wallet else {
      throw SignInRefusal.unknownDevice
    }
    return FoundDevice(account: device.account, wallet: wallet, wrapped: device.wrapped)
  }
}

extension AccountRows {
  /// Carries out a change that the wallet has signed. Returns the reason if it is refused.
  fileprivate mutating func carryOut(
    _ change: WalletChange, _ account: inout Account, _ session: Session, at now: Int64, _ limits: SignInLimits
  ) -> SignInRefusal? {
    switch change {
    case .add(let credential, let name, let wrapped):
      let device = Device(
        account: account.key, credential: credential, name: name, wrapped: wrapped, added: now, used: now)
      if let there = devices[device.key] {
        guard there.account == account.key, there.name == name, there.wrapped == wrapped else {
          return SignInRefusal(
            .deviceTaken, "the passkey belongs to a device already",
            remedy: "Remove that device, or make another passkey")
        }
      } else {
        guard devices(of: account.key).count < limits.devices else {
          return SignInRefusal(
            .tooManyDevices, "the account has \(limits.devices) devices, and takes no more", remedy: "Remove one first")
        }
        devices[device.key] = device
      }
      sessions[session.key]?.device = device.key
    case .use(let id):
      guard var device = devices[id], device.account == account.key else { return .unknownDevice }
      device.used = max(device.used, now)
      devices[id] = device
      sessions[session.key]?.device = id
    case .remove(let id):
      guard devices[id]?.account == account.key else { return .unknownDevice }
      devices[id] = nil
      sessions = sessions.filter { $0.value.device != id }
    case .recovery(let wrapped): account.recovery = wrapped
    }
    return nil
  }
}
