extension SignIn {
  /// The answer to a browser that is signed in.
  public struct Resumed: Sendable {
    public let account: AccountView
    /// The token that replaces the one in the browser's cookie; `nil` if that stays.
    public let replacement: SignInToken?
    /// How much longer the session lasts, in seconds.
    public let lifetime: Int64
  }

  /// Returns the account of a session. Replaces the session's token if it has become old.
  ///
  /// A token that was replaced is taken for a short time more, and as long as its replacement was not seen: the answer
  /// with that may be lost. After that it can only be a copy in other hands, and its session ends for both.
  ///
  /// - Parameters:
  ///   - token: the token of the browser's cookie.
  ///   - now: the time in seconds since 1970.
  /// - Throws: `SignInRefusal.notSignedIn`; `AccountStoreError`.
  public func resume(_ token: SignInToken?, at now: Int64) async throws -> Resumed {
    guard let token else { throw SignInRefusal.notSignedIn }
    let (hash, drawn) = (keys.hash(of: token), self.token())
    let drawnHash = keys.hash(of: drawn)
    let decided: Decided<Resumption> = try await store.change(.session(hash, device: nil)) { [limits] rows in
      guard let session = rows.resume(hash, replacement: drawnHash, at: now, limits) else {
        return .failure(.notSignedIn)
      }
      guard let view = rows.view(session) else { return .failure(.notSignedIn) }
      return .success(
        Resumption(
          account: view, isReplaced: session.token == drawnHash, lifetime: session.began + limits.sessionLifetime - now)
      )
    }
    let resumption = try decided.get()
    return Resumed(
      account: resumption.account, replacement: resumption.isReplaced ? drawn : nil, lifetime: resumption.lifetime)
  }

  private struct Resumption: Sendable {
    let account: AccountView
    let isReplaced: Bool
    let lifetime: Int64
  }

  /// Ends a session. One that has ended already is no error.
  ///
  /// - Throws: `AccountStoreError`.
  public func signOut(_ token: SignInToken?) async throws {
    guard let hash = token.map(keys.hash) else { return }
    try await store.change(.session(hash, device: nil)) { rows in
      if let session = rows.session(of: hash) { rows.sessions[session.key] = nil }
    }
  }

  /// Ends all sessions of an account, this one too.
  ///
  /// - Throws: `SignInRefusal.notSignedIn`; `AccountStoreError`.
  public func signOutEverywhere(_ token: SignInToken?, at now: Int64) async throws {
    guard let hash = token.map(keys.hash) else { throw SignInRefusal.notSignedIn }
    let decided: Decided<Void> = try await store.change(.session(hash, device: nil)) { [limits] rows in
      guard let session = rows.resume(hash, replacement: nil, at: now, limits) else { return .failure(.notSignedIn) }
      rows.sessions = rows.sessions.filter { $0.value.account != session.account }
      return .success(())
    }
    try decided.get()
  }
}

extension AccountRows {
  /// Returns a session as it is after a request with a token; `nil` if there is none, or if it has ended. Then it is
  /// removed.
  ///
  /// - Parameter replacement: the hash of the token that replaces an old one; `nil` to leave the token as it is.
  mutating func resume(
    _ token: TokenHash, replacement: TokenHash?, at now: Int64, _ limits: SignInLimits
  ) -> Session? {
    guard var session = session(of: token) else { return nil }
    sessions[session.key] = nil
    guard now < session.began + limits.sessionLifetime else { return nil }
    if session.token == token {
      if session.confirmed == nil { session.confirmed = now }
      if let replacement, now - session.drawn >= limits.tokenLifetime { session.replaceToken(by: replacement, at: now) }
    } else if let confirmed = session.confirmed {
      guard now < confirmed + limits.tokenGrace else { return nil }
    } else if let replacement, now >= session.drawn + limits.tokenGrace {
      // The answer with the replacement was lost. The browser still has the token before it.
      (session.token, session.drawn) = (replacement, now)
    }
    sessions[session.key] = session
    return session
  }

  /// Returns what a session may see of its account; `nil` if there is no account.
  func view(_ session: Session) -> AccountView? {
    accounts[session.account].map { AccountView($0, devices(of: $0.key), isOn: session.device) }
  }
}

extension Session {
  fileprivate mutating func replaceToken(by replacement: TokenHash, at now: Int64) {
    (previous, token, drawn, confirmed) = (token, replacement, now, nil)
  }
}
