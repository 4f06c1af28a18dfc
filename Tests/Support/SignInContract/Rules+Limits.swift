import BumpSignIn
import Testing

extension SignInRule {
  static let limitRules = [
    SignInRule("an address gets five codes an hour, whoever asks for them") { scene in
      for _ in 0..<5 { try await scene.expectCode(for: .alice) }
      try await scene.expectNoCode(for: .alice)
      try await scene.expectCode(for: .named("bob"))
      scene.advance(by: 3599)
      try await scene.expectNoCode(for: .alice)
      scene.advance(by: 1)
      try await scene.expectCode(for: .alice)
    },
    SignInRule("an address gets ten codes in any day and a code's lifetime") { scene in
      for _ in 0..<2 {
        for _ in 0..<5 { try await scene.expectCode(for: .alice) }
        scene.advance(by: 3600)
      }
      try await scene.expectNoCode(for: .alice)
      scene.advance(by: 86_400 + 600 - 7200 - 1)
      try await scene.expectNoCode(for: .alice)
      scene.advance(by: 1)
      for _ in 0..<5 { try await scene.expectCode(for: .alice) }
      try await scene.expectNoCode(for: .alice)
    },
    SignInRule("a code that was not sent counts for nothing") { scene in
      for _ in 0..<5 { _ = try await scene.begin(Browser(), .alice) }
      for _ in 0..<60 {
        scene.advance(by: 59)
        try await scene.expectNoCode(for: .alice)
      }
      scene.advance(by: 60)
      try await scene.expectCode(for: .alice)
    },
    SignInRule("signing in makes no room for more codes") { scene in
      for _ in 0..<5 { try await scene.signIn(Browser()) }
      try await scene.expectNoCode(for: .alice)
    },
    SignInRule("a clock that is set back makes no room for more codes") { scene in
      for _ in 0..<5 { _ = try await scene.begin(Browser(), .alice) }
      scene.advance(by: -10_000)
      try await scene.expectNoCode(for: .alice)
    },
    SignInRule("a browser whose code was not sent is answered as one whose was") { scene in
      let (sent, unsent) = (Browser(), Browser())
      for _ in 0..<4 { _ = try await scene.begin(Browser(), .alice) }
      try await scene.expectCode(for: .alice, in: sent)
      try await scene.expectNoCode(for: .alice, in: unsent)
      for _ in 0...scene.limits.triesPerCode {
        var answers: [SignInRefusal?] = []
        for browser in [sent, unsent] {
          answers.append(await #expect(throws: SignInRefusal.self) { try await scene.enter("000000", browser) })
        }
        #expect(answers[0] == answers[1] && answers[0]?.triesLeft == answers[1]?.triesLeft)
        #expect(answers[0]?.description == answers[1]?.description)
      }
    },
    SignInRule("an address with an account and one without are answered alike") { scene in
      try await scene.signIn(Browser(), .alice)
      for name in ["alice", "nobody"] {
        let browser = Browser()
        let code = try #require(try await scene.begin(browser, .named(name)))
        let refusal = await #expect(throws: SignInRefusal.self) { try await scene.enter(code.wrong, browser) }
        #expect(refusal?.triesLeft == 4)
      }
    },
  ]
}
