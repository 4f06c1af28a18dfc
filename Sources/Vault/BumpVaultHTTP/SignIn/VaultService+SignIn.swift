import BumpSignIn
import BumpVault
import BumpVaultAPI

extension VaultService {
  /// Answers a request of signing in.
  ///
  /// - Throws: `Problem`, `RequestError`.
  func answer(
    _ route: SignInRoute, _ request: VaultRequest, _ client: Client, _ reading: BodyReading
  ) async throws -> VaultResponse {
    guard let desk = signIn else { throw Route.notFound }
    let transport = try transport(of: request, client)
    try request.checkSameOrigin(isEncrypted: transport == .tls, isStrict: route.method == .post)
    let cookies = SignInCookies(request, transport)
    do {
      switch route {
      case .begin: return try await begin(desk, request, client, cookies, reading)
      case .enter:
        let code = try SignInBodies.code(try await reading.json())
        let now = now
        let signedIn = try await desk.rules.enter(code, in: cookies.flow, replacing: cookies.session, at: now)
        return VaultResponse(
          .account(signedIn.account, lasting: signedIn.lifetime, at: now),
          headers: [
            cookies.setting(.session, signedIn.session, for: signedIn.lifetime), cookies.removing(.flow),
          ])
      case .session:
        let now = now
        let resumed = try await desk.rules.resume(cookies.session, at: now)
        return VaultResponse(
          .account(resumed.account, lasting: resumed.lifetime, at: now),
          headers: resumed.replacement.map { [cookies.setting(.session, $0, for: resumed.lifetime)] } ?? [])
      case .signOut: return try await signOut(desk, cookies, reading)
      case .find:
        let credential = try SignInBodies.credential(try await reading.json())
        return VaultResponse(.found(try await desk.rules.device(of: credential), at: now))
      case .add, .use, .remove, .recovery:
        guard let change = try SignInBodies.change(try await reading.json(), route) else { throw Route.notFound }
        let now = now
        return VaultResponse(.account(try await desk.rules.change(change, in: cookies.session, at: now), at: now))
      }
    } catch let refusal as SignInRefusal {
      throw Problem(refusal)
    } catch let error as AccountStoreError {
      report(VaultStoreError(.failed, error.description))
      throw Problem(error)
    }
  }

  /// Begins a flow. What the answer says, and when, depends on the kind of address alone.
  private func begin(
    _ desk: SignInDesk, _ request: VaultRequest, _ client: Client, _ cookies: SignInCookies, _ reading: BodyReading
  ) async throws -> VaultResponse {
    let address = try SignInBodies.address(try await reading.json())
    if case .phone = address, desk.phone == nil {
      throw Problem(
        .badField, "this vault sends no codes to phones", remedy: "Use an e-mail address", field: "phone")
    }
    try await admit(client, by: codes)
    let now = now
    let begun = try await desk.rules.begin(at: address, replacing: cookies.flow, at: now)
    if let message = begun.message {
      desk.send(message, PageLanguage(preferredBy: request.values("Accept-Language")))
    }
    return VaultResponse(
      .begun(lasting: begun.lifetime, at: now), headers: [cookies.setting(.flow, begun.flow, for: begun.lifetime)])
  }

  private func signOut(
    _ desk: SignInDesk, _ cookies: SignInCookies, _ reading: BodyReading
  ) async throws -> VaultResponse {
    if try SignInBodies.isEverywhere(try await reading.json()) {
      try await desk.rules.signOutEverywhere(cookies.session, at: now)
    } else {
      try await desk.rules.signOut(cookies.session)
    }
    return VaultResponse(
      204, headers: [.init("Cache-Control", "no-store"), cookies.removing(.session), cookies.removing(.flow)])
  }

  /// Returns how the browser reaches the vault.
  ///
  /// - Throws: `insecure` where somebody on the way could read an address, a code or a cookie.
  private func transport(of request: VaultRequest, _ client: Client) throws(Problem) -> SignInCookie.Transport {
    guard client.isSecure else {
      throw Problem(
        .insecure, "the vault must be reached over TLS, or on its own machine, to sign in",
        remedy: "Open the vault's page at its https:// URL")
    }
    return request.isTLS || !client.isLocal ? .tls : .loopback
  }
}

/// The cookies of a request, and those of its answer.
struct SignInCookies {
  let flow: SignInToken?
  let session: SignInToken?
  private let transport: SignInCookie.Transport

  init(_ request: VaultRequest, _ transport: SignInCookie.Transport) {
    let headers = request.values("Cookie")
    flow = SignInCookie.flow.token(in: headers, over: transport)
    session = SignInCookie.session.token(in: headers, over: transport)
    self.transport = transport
  }

  func setting(_ cookie: SignInCookie, _ token: SignInToken, for lifetime: Int64) -> Answer.Header {
    .init("Set-Cookie", cookie.setting(token, for: lifetime, over: transport))
  }

  func removing(_ cookie: SignInCookie) -> Answer.Header { .init("Set-Cookie", cookie.removal(over: transport)) }
}
