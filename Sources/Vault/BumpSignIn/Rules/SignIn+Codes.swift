import BumpWallet

extension SignIn {
  /// The answer to a browser that asks for a code.
  public struct Begun: Sendable {
    /// The token for the browser's cookie `SignInCookie.flow`.
    public let flow: SignInToken
    /// How long the cookie lasts, in seconds.
    public let lifetime: Int64
    /// The message to send; `nil` if the address has had as many codes as it gets. Nothing in the browser's answer may
    /// depend on that.
    public let message: CodeMessage?
  }

  /// Begins a flow: draws a code for an address, which this browser alone can enter.
  ///
  /// Flows of other browsers stay as they are, also those for the same address. So a stranger who asks for a code for
  /// somebody else's address makes no code of its owner invalid.
  ///
  /// The code is durable, and counted, when this returns: the message can be sent then, and not earlier.
  ///
  /// - Parameters:
  ///   - earlier: the browser's earlier flow, whose code becomes invalid.
  ///   - now: the time in seconds since 1970.
  /// - Throws: `AccountStoreError`.
  public func begin(at address: SignInAddress, replacing earlier: SignInToken?, at now: Int64) async throws -> Begun {
    let (token, code) = (token(), OneTimeCode(drawing: limits.digits, random))
    let (hash, addressHash, earlier) = (keys.hash(of: token), keys.hash(of: address), earlier.map(keys.hash))
    let (codeHash, lifetime) = (keys.hash(of: code, in: hash), limits.lifetime(to: address))
    let isSent = try await store.change(.beginning(addressHash, earlier: earlier)) { [limits] rows in
      if let earlier { rows.flows[earlier] = nil }
      var row = rows.addresses[addressHash] ?? AddressRow(key: addressHash)
      let isSent = row.count(at: now, limits)
      rows.addresses[addressHash] = row
      rows.flows[hash] = FlowRow(
        key: hash, address: addressHash, code: isSent ? codeHash : nil, expires: now + lifetime)
      return isSent
    }
    return Begun(
      flow: token, lifetime: lifetime,
      message: isSent ? CodeMessage(address: address, code: code, lifetime: lifetime) : nil)
  }

  /// The answer to a browser whose code was right.
  public struct SignedIn: Sendable {
    /// The token for the browser's cookie `SignInCookie.session`. It was drawn for this answer: no token that a browser
    /// brings along becomes a session.
    public let session: SignInToken
    /// How long the cookie lasts, in seconds.
    public let lifetime: Int64
    public let account: AccountView
  }

  /// Compares a code with the one of the browser's own flow, and signs the browser in.
  ///
  /// - Parameters:
  ///   - typed: what the person has typed. What cannot be a code is no guess.
  ///   - flow: the token of the browser's cookie.
  ///   - earlier: the browser's earlier session, which ends.
  ///   - now: the time in seconds since 1970.
  /// - Throws: `SignInRefusal.noFlow`, `.wrongCode`; `AccountStoreError`.
  public func enter(
    _ typed: String, in flow: SignInToken?, replacing earlier: SignInToken?, at now: Int64
  ) async throws -> SignedIn {
    guard let flow else { throw SignInRefusal.noFlow }
    let (hash, token, earlier) = (keys.hash(of: flow), token(), earlier.map(keys.hash))
    let code = OneTimeCode(typed, count: limits.digits).map { keys.hash(of: $0, in: hash) }
    let entry = Entry(
      flow: hash, code: code, earlier: earlier, token: keys.hash(of: token), session: SessionID(id()),
      account: AccountID(id()), now: now, limits: limits)
    let decided = try await store.change(.entering(hash, earlier: earlier), entry.decide)
    return SignedIn(session: token, lifetime: limits.sessionLifetime, account: try decided.get())
  }
}

extension AddressRow {
  /// Counts a code, if the address may get one more.
  ///
  /// A code that was sent later than now counts too: a clock that is set back makes no room for more.
  mutating func count(at now: Int64, _ limits: SignInLimits) -> Bool {
    codes.removeAll { $0 <= now - limits.codeMemory }
    guard codes.count < limits.codesPerDay, codes.count(where: { $0 > now - 3600 }) < limits.codesPerHour else {
      return false
    }
    codes.append(now)
    return true
  }
}

/// A code that was entered, with all that is drawn for the session that it may begin.
private struct Entry {
  let flow: TokenHash
  /// The hash of the code; `nil` for a text that cannot be one.
  let code: Bytes32?
  let earlier: TokenHash?
  let token: TokenHash
  let session: SessionID
  /// For an address without an account.
  let account: AccountID
  let now: Int64
  let limits: SignInLimits

  @Sendable func decide(_ rows: inout AccountRows) -> Decided<AccountView> {
    guard var found = rows.flows[flow], now < found.expires, found.tries < limits.triesPerCode else {
      return .failure(.noFlow)
    }
    guard let code else { return .failure(.wrongCode(triesLeft: limits.triesPerCode - found.tries)) }
    found.tries += 1
    rows.flows[flow] = found
    guard let right = found.code, right.isEqual(inConstantTime: code) else {
      return .failure(.wrongCode(triesLeft: limits.triesPerCode - found.tries))
    }
    // A code is good once.
    rows.flows[flow] = nil
    return .success(begin(owning: found.address, &rows))
  }

  private func begin(owning address: AddressHash, _ rows: inout AccountRows) -> AccountView {
    var row = rows.addresses[address] ?? AddressRow(key: address)
    let account = row.account.flatMap { rows.accounts[$0] } ?? Account(key: account, made: now)
    row.account = account.key
    rows.addresses[address] = row
    rows.accounts[account.key] = account
    if let earlier, let old = rows.session(of: earlier) { rows.sessions[old.key] = nil }
    let others = rows.sessions.values.filter { $0.account == account.key }.sorted { $0.began < $1.began }
    for old in others.dropLast(limits.sessions - 1) { rows.sessions[old.key] = nil }
    rows.sessions[session] = Session(key: session, account: account.key, began: now, token: token, drawn: now)
    return AccountView(account, rows.devices(of: account.key), isOn: nil)
  }
}
