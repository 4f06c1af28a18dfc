import BumpSignIn
import Testing

extension SignInRule {
  static let lapseRules = [
    SignInRule("what has lapsed is deleted, and an account stays") { scene in
      let account = try await scene.signIn(Browser())
      let waiting = Browser()
      _ = try await scene.begin(waiting, .named("bob"))
      #expect(try await scene.store.removeLapsed(at: scene.now, scene.limits) == 0)
      scene.advance(by: 600)
      // Bob's flow.
      #expect(try await scene.store.removeLapsed(at: scene.now, scene.limits) == 1)
      scene.advance(by: 86_400)
      // Bob's address.
      #expect(try await scene.store.removeLapsed(at: scene.now, scene.limits) == 1)
      scene.advance(by: 6 * 86_400 - 600)
      // The session.
      #expect(try await scene.store.removeLapsed(at: scene.now, scene.limits) == 1)
      #expect(try await scene.signIn(Browser()).id == account.id)
    },
    SignInRule("deleting what has lapsed makes no room for more codes") { scene in
      for _ in 0..<5 { _ = try await scene.begin(Browser(), .alice) }
      scene.advance(by: 3599)
      try await scene.store.removeLapsed(at: scene.now, scene.limits)
      #expect(try await scene.begin(Browser(), .alice) == nil)
    },
  ]
}
