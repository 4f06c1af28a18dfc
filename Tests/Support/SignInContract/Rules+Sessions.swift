import BumpSignIn
import Testing

extension SignInRule {
  static let sessionRules = [
    SignInRule("a session lasts seven days, however often it is used") { scene in
      let browser = Browser()
      let account = try await scene.signIn(browser)
      for _ in 0..<13 {
        scene.advance(by: 43_200)
        #expect(try await scene.resume(browser).id == account.id)
      }
      scene.advance(by: 43_199)
      try await scene.resume(browser)
      scene.advance(by: 1)
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(browser) }
    },
    SignInRule("no token that a browser brings along becomes a session") { scene in
      let browser = Browser()
      let planted = try #require(SignInToken("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
      browser.set(session: planted)
      try await scene.signIn(browser)
      #expect(browser.session != planted)
      let thief = Browser()
      thief.set(session: planted)
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(thief) }
    },
    SignInRule("a flow's token is no session, and a session's no flow") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      let flow = browser.flow
      browser.set(session: flow)
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(browser) }
      try await scene.enter(code.digits, browser)
      browser.set(flow: browser.session)
      await scene.expectRefusal(.noFlow) { try await scene.enter(code.digits, browser) }
    },
    SignInRule("signing in again ends the browser's earlier session") { scene in
      let browser = Browser()
      try await scene.signIn(browser)
      let earlier = browser.session
      try await scene.signIn(browser, .named("bob"))
      #expect(try await scene.resume(browser).devices.isEmpty)
      browser.set(session: earlier)
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(browser) }
    },
    SignInRule("a token is replaced once it is an hour old, and not earlier") { scene in
      let browser = Browser()
      try await scene.signIn(browser)
      let first = browser.session
      scene.advance(by: 3599)
      try await scene.resume(browser)
      #expect(browser.session == first)
      scene.advance(by: 1)
      try await scene.resume(browser)
      #expect(browser.session != first)
      try await scene.resume(browser)
    },
    SignInRule("requests that were sent together are all answered") { scene in
      let (browser, late) = (Browser(), Browser())
      try await scene.signIn(browser)
      late.set(session: browser.session)
      scene.advance(by: 3600)
      try await scene.resume(browser)
      try await scene.resume(late)
      try await scene.resume(browser)
      scene.advance(by: 59)
      try await scene.resume(late)
      try await scene.resume(browser)
    },
    SignInRule("an answer with a new token may be lost") { scene in
      let browser = Browser()
      try await scene.signIn(browser)
      scene.advance(by: 3600)
      for _ in 0..<3 {
        let old = browser.session
        #expect(try await scene.signIn.resume(old, at: scene.now).replacement != nil)
        scene.advance(by: 3600)
      }
      try await scene.resume(browser)
      try await scene.resume(browser)
    },
    SignInRule("a copy of a replaced token ends the session for both who have it") { scene in
      let (browser, thief) = (Browser(), Browser())
      try await scene.signIn(browser)
      thief.set(session: browser.session)
      scene.advance(by: 3600)
      try await scene.resume(browser)
      try await scene.resume(browser)
      scene.advance(by: 60)
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(thief) }
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(browser) }
    },
    SignInRule("signing out ends this session alone") { scene in
      let (here, there) = (Browser(), Browser())
      for browser in [here, there] { try await scene.signIn(browser) }
      try await scene.signIn.signOut(here.session)
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(here) }
      try await scene.resume(there)
      try await scene.signIn.signOut(here.session)
      try await scene.signIn.signOut(nil)
    },
    SignInRule("signing out everywhere ends each session of the account, and no other's") { scene in
      let (here, there, bob) = (Browser(), Browser(), Browser())
      for browser in [here, there] { try await scene.signIn(browser) }
      try await scene.signIn(bob, .named("bob"))
      try await scene.signIn.signOutEverywhere(here.session, at: scene.now)
      for browser in [here, there] {
        await scene.expectRefusal(.notSignedIn) { try await scene.resume(browser) }
      }
      try await scene.resume(bob)
      await scene.expectRefusal(.notSignedIn) {
        try await scene.signIn.signOutEverywhere(here.session, at: scene.now)
      }
    },
    SignInRule(
      "one session too many ends the oldest",
      limits: SignInLimits(codesPerHour: 9, codesPerDay: 9, sessions: 3)
    ) { scene in
      let browsers = (0..<4).map { _ in Browser() }
      for browser in browsers {
        try await scene.signIn(browser)
        scene.advance(by: 1)
      }
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(browsers[0]) }
      for browser in browsers.dropFirst() { try await scene.resume(browser) }
    },
  ]
}
