import BumpSignIn
import Testing

extension SignInRule {
  static let raceRules = [
    SignInRule("of many who ask at once for codes for one address, five get one") { scene in
      let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<30 { group.addTask { try await scene.begin(Browser(), .alice) != nil } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(sent == 5)
    },
    SignInRule("of many guesses at once, five are looked at") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      let codes = try await withThrowingTaskGroup(of: SignInRefusal.Code.self) { group in
        for _ in 0..<30 {
          group.addTask {
            do {
              try await scene.enter(code.wrong, browser)
              return .badDevice
            } catch let refusal as SignInRefusal {
              return refusal.code
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == .wrongCode } == 5 && codes.count { $0 == .noFlow } == 25)
    },
    SignInRule("of many who enter one right code at once, one is signed in") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      let count = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          group.addTask {
            do {
              let flow = browser.flow
              _ = try await scene.signIn.enter(code.digits, in: flow, replacing: nil, at: scene.now)
              return true
            } catch is SignInRefusal {
              return false
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(count == 1)
    },
    SignInRule("two browsers that sign in at once with a new address have one account") { scene in
      let browsers = (0..<4).map { _ in Browser() }
      var codes: [OneTimeCode] = []
      for browser in browsers { codes.append(try #require(try await scene.begin(browser, .alice))) }
      let accounts = try await withThrowingTaskGroup(of: AccountID.self) { group in
        for (browser, code) in zip(browsers, codes) {
          group.addTask { try await scene.enter(code.digits, browser).id }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(accounts.count == 1)
    },
    SignInRule("of ten devices that are added at once, five are") { scene in
      let (browser, wallet) = (Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(browser)
      let added = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 1...10 as ClosedRange<UInt8> {
          let (credential, name, wrapped) = try device(number)
          group.addTask {
            do {
              try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser)
              return true
            } catch is SignInRefusal {
              return false
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(added == 5)
      #expect(try await scene.resume(browser).devices.count == 5)
    },
    SignInRule("a session that ends while it is used does not come back") { scene in
      for _ in 0..<5 {
        let browser = Browser()
        try await scene.signIn(browser, .named("name\(UInt64.random(in: .min ... .max))"))
        scene.advance(by: 3600)
        let token = browser.session
        async let resumed = try? scene.signIn.resume(token, at: scene.now)
        try await scene.signIn.signOut(token)
        let replacement = await resumed?.replacement
        await scene.expectRefusal(.notSignedIn) { _ = try await scene.signIn.resume(token, at: scene.now) }
        if let replacement {
          await scene.expectRefusal(.notSignedIn) { _ = try await scene.signIn.resume(replacement, at: scene.now) }
        }
      }
    },
  ]
}
