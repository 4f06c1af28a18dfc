import BumpSignIn
import Testing

extension SignInRule {
  static let codeRules = [
    SignInRule("the first code makes an account, and the next one finds it") { scene in
      let first = try await scene.signIn(Browser())
      #expect(first.devices.isEmpty && first.wallet == nil && first.recovery == nil)
      #expect(try await scene.signIn(Browser()).id == first.id)
      #expect(try await scene.signIn(Browser(), .named("bob")).id != first.id)
    },
    SignInRule("an address has one account, however it is written") { scene in
      let first = try await scene.signIn(Browser(), .mail(MailAddress("Alice@Bücher.Example")))
      let second = try await scene.signIn(Browser(), .mail(MailAddress(" alice@xn--bcher-kva.example ")))
      #expect(first.id == second.id)
    },
    SignInRule("a number has another account than an address") { scene in
      let first = try await scene.signIn(Browser(), .phone(PhoneNumber("+49 30 1234567")))
      #expect(try await scene.signIn(Browser(), .phone(PhoneNumber("+49-30-1234567"))).id == first.id)
      #expect(try await scene.signIn(Browser()).id != first.id)
    },
    SignInRule("a code is good once") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      try await scene.enter(code.digits, browser)
      await scene.expectRefusal(.noFlow) { try await scene.enter(code.digits, browser) }
    },
    SignInRule("a code is taken with the spaces and dashes that people paste") { scene in
      let browser = Browser()
      let digits = try #require(try await scene.begin(browser, .alice)).digits
      try await scene.enter(" \(digits.prefix(3))-\(digits.dropFirst(3)) ", browser)
    },
    SignInRule("what cannot be a code is no guess") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      for typed in ["", "12345", "1234567", "١٢٣٤٥٦", "12345\u{301}6", String(repeating: "1", count: 10_000)] {
        for _ in 0..<3 { await scene.expectRefusal(.wrongCode) { try await scene.enter(typed, browser) } }
      }
      try await scene.enter(code.digits, browser)
    },
    SignInRule("a code that is entered in another browser is refused") { scene in
      let (hers, another) = (Browser(), Browser())
      let code = try #require(try await scene.begin(hers, .alice))
      await scene.expectRefusal(.noFlow) { try await scene.enter(code.digits, Browser()) }
      let other = try #require(try await scene.begin(another, .alice))
      try #require(other != code)
      await scene.expectRefusal(.wrongCode) { try await scene.enter(code.digits, another) }
      // Her own code has lost no guess by that.
      try await scene.enter(code.digits, hers)
    },
    SignInRule("of two flows at once for one address, each has its own code and guesses") { scene in
      let (first, second) = (Browser(), Browser())
      let firstCode = try #require(try await scene.begin(first, .alice))
      let secondCode = try #require(try await scene.begin(second, .alice))
      for _ in 0..<scene.limits.triesPerCode {
        await scene.expectRefusal(.wrongCode) { try await scene.enter(secondCode.wrong, second) }
      }
      let account = try await scene.enter(firstCode.digits, first)
      await scene.expectRefusal(.noFlow) { try await scene.enter(secondCode.digits, second) }
      #expect(try await scene.resume(first).id == account.id)
    },
    SignInRule("a new code in one browser replaces its last one") { scene in
      let browser = Browser()
      let old = try #require(browser.flow == nil ? try await scene.begin(browser, .alice) : nil)
      let oldFlow = browser.flow
      let new = try #require(try await scene.begin(browser, .alice))
      let newFlow = browser.flow
      try #require(old != new && oldFlow != newFlow)
      await scene.expectRefusal(.wrongCode) { try await scene.enter(old.digits, browser) }
      browser.set(flow: oldFlow)
      await scene.expectRefusal(.noFlow) { try await scene.enter(old.digits, browser) }
      browser.set(flow: newFlow)
      try await scene.enter(new.digits, browser)
    },
    SignInRule("a code lapses, by mail after ten minutes, and by phone after five") { scene in
      for (address, lifetime) in [(SignInAddress.alice, 600), (.phone(try PhoneNumber("+4930123456")), 300)] {
        for (wait, isGood) in [(Int64(lifetime) - 1, true), (Int64(lifetime), false)] {
          let browser = Browser()
          let code = try #require(try await scene.begin(browser, address))
          scene.advance(by: wait)
          if isGood {
            try await scene.enter(code.digits, browser)
          } else {
            await scene.expectRefusal(.noFlow) { try await scene.enter(code.digits, browser) }
          }
        }
      }
    },
    SignInRule("after its last guess a code is worth nothing") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      for left in (0..<scene.limits.triesPerCode).reversed() {
        let refusal = await #expect(throws: SignInRefusal.self) { try await scene.enter(code.wrong, browser) }
        #expect(refusal?.code == .wrongCode && refusal?.triesLeft == left)
      }
      await scene.expectRefusal(.noFlow) { try await scene.enter(code.digits, browser) }
    },
    SignInRule("the last guess may be right") { scene in
      let browser = Browser()
      let code = try #require(try await scene.begin(browser, .alice))
      for _ in 1..<scene.limits.triesPerCode {
        await scene.expectRefusal(.wrongCode) { try await scene.enter(code.wrong, browser) }
      }
      try await scene.enter(code.digits, browser)
    },
  ]
}
