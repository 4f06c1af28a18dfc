import BumpSignIn
import BumpWallet
import Testing

extension SignInRule {
  static let deviceRules = [
    SignInRule("an account has five devices, and no sixth until one is removed") { scene in
      let (browser, wallet) = (Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(browser)
      for number in 1...5 as ClosedRange<UInt8> {
        let (credential, name, wrapped) = try device(number, "Device \(number)")
        scene.advance(by: 1)
        let view = try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser)
        #expect(view.devices.count == Int(number) && view.device == DeviceID(credential))
        #expect(view.wallet == wallet.address)
      }
      let (sixth, name, wrapped) = try device(6)
      let add = WalletChange.add(sixth, name, wrapped)
      await scene.expectRefusal(.tooManyDevices) {
        try await scene.change(add, of: account.id, by: wallet, in: browser)
      }
      try await scene.change(.remove(DeviceID(device(2).0)), of: account.id, by: wallet, in: browser)
      let view = try await scene.change(add, of: account.id, by: wallet, in: browser)
      #expect(view.devices.map(\.name.text) == ["Device 1", "Device 3", "Device 4", "Device 5", "Phone"])
    },
    SignInRule("a device that is added again is there once") { scene in
      let (browser, wallet) = (Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(browser)
      let (credential, name, wrapped) = try device(1)
      for _ in 0..<2 {
        #expect(
          try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser).devices.count
            == 1)
        scene.advance(by: 1)
      }
      // Another key in its place would lock the owner out.
      let other = try #require(WrappedKey([UInt8](repeating: 9, count: 60)))
      await scene.expectRefusal(.deviceTaken) {
        try await scene.change(.add(credential, name, other), of: account.id, by: wallet, in: browser)
      }
      #expect(try await scene.signIn.device(of: credential).wrapped == wrapped)
    },
    SignInRule("nobody takes a passkey of another account") { scene in
      let (alice, mallory) = (Browser(), Browser())
      let (hers, his) = (try await scene.signIn(alice), try await scene.signIn(mallory, .named("mallory")))
      let (credential, name, wrapped) = try device(1)
      try await scene.change(.add(credential, name, wrapped), of: hers.id, by: SignInScene.wallet(1), in: alice)
      for change in [
        WalletChange.add(credential, name, wrapped), .use(DeviceID(credential)), .remove(DeviceID(credential)),
      ] {
        let error = await #expect(throws: SignInRefusal.self) {
          try await scene.change(change, of: his.id, by: SignInScene.wallet(2), in: mallory)
        }
        #expect(error?.code == .deviceTaken || error?.code == .unknownDevice)
      }
      let found = try await scene.signIn.device(of: credential)
      #expect(found.account == hers.id && found.wrapped == wrapped)
    },
    SignInRule("a wrapped key is found by its passkey, without a session") { scene in
      let (browser, wallet) = (Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(browser)
      let (credential, name, wrapped) = try device(1)
      await scene.expectRefusal(.unknownDevice) { _ = try await scene.signIn.device(of: credential) }
      try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser)
      try await scene.signIn.signOutEverywhere(browser.session, at: scene.now)
      let found = try await scene.signIn.device(of: credential)
      #expect(found.account == account.id && found.wallet == wallet.address && found.wrapped == wrapped)
    },
    SignInRule("removing a device deletes its wrapped key, and ends its sessions alone") { scene in
      let (phone, laptop, wallet) = (Browser(), Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(phone)
      try await scene.signIn(laptop)
      let (first, second) = (try device(1, "Phone"), try device(2, "Laptop"))
      try await scene.change(.add(first.0, first.1, first.2), of: account.id, by: wallet, in: phone)
      try await scene.change(.add(second.0, second.1, second.2), of: account.id, by: wallet, in: laptop)
      let view = try await scene.change(.remove(DeviceID(first.0)), of: account.id, by: wallet, in: laptop)
      #expect(view.devices.map(\.name.text) == ["Laptop"])
      await scene.expectRefusal(.notSignedIn) { try await scene.resume(phone) }
      await scene.expectRefusal(.unknownDevice) { _ = try await scene.signIn.device(of: first.0) }
      try await scene.resume(laptop)
    },
    SignInRule("a device shows when its wallet was opened last") { scene in
      let (browser, wallet) = (Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(browser)
      let (credential, name, wrapped) = try device(1)
      let added = scene.now
      try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser)
      scene.advance(by: 5000)
      let view = try await scene.change(.use(DeviceID(credential)), of: account.id, by: wallet, in: browser)
      #expect(view.devices.first?.added == added && view.devices.first?.used == scene.now)
    },
    SignInRule("who reads somebody's mail can change nothing that opens the wallet") { scene in
      let (owner, thief, wallet) = (Browser(), Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(owner)
      let (credential, name, wrapped) = try device(1)
      try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: owner)
      let code = try #require(WrappedKey([UInt8](repeating: 8, count: 60)))
      let before = try await scene.change(.recovery(code), of: account.id, by: wallet, in: owner)
      #expect(try await scene.signIn(thief).id == account.id)
      let (second, otherName, other) = try device(2)
      for change in [
        WalletChange.remove(DeviceID(credential)), .use(DeviceID(credential)), .recovery(nil), .recovery(other),
        .add(second, otherName, other),
      ] {
        await scene.expectRefusal(.notSigned) {
          try await scene.change(change, of: account.id, by: SignInScene.wallet(2), in: thief)
        }
        // A signature of the owner's for something else.
        let signed = scene.signed(.use(DeviceID(second)), of: account.id, by: wallet)
        await scene.expectRefusal(.notSigned) {
          _ = try await scene.signIn.change(
            SignedWalletChange(
              change, wallet: wallet.address, validBefore: signed.validBefore, signature: signed.signature),
            in: thief.session, at: scene.now)
        }
      }
      let after = try await scene.resume(owner)
      #expect(after == before)
    },
    SignInRule("a wallet's signature is good for one account, and for some minutes") { scene in
      let (alice, bob, wallet) = (Browser(), Browser(), try SignInScene.wallet(1))
      let (hers, his) = (try await scene.signIn(alice), try await scene.signIn(bob, .named("bob")))
      let (credential, name, wrapped) = try device(1)
      let signed = scene.signed(.add(credential, name, wrapped), of: hers.id, by: wallet)
      await scene.expectRefusal(.notSigned) {
        _ = try await scene.signIn.change(signed, in: bob.session, at: scene.now)
      }
      #expect(his.id != hers.id)
      for seconds in [0, -1, 901] as [Int64] {
        let signed = scene.signed(.add(credential, name, wrapped), of: hers.id, by: wallet, validFor: seconds)
        await scene.expectRefusal(.notSigned) {
          _ = try await scene.signIn.change(signed, in: alice.session, at: scene.now)
        }
      }
      scene.advance(by: 300)
      await scene.expectRefusal(.notSigned) {
        _ = try await scene.signIn.change(signed, in: alice.session, at: scene.now)
      }
      await scene.expectRefusal(.notSignedIn) { _ = try await scene.signIn.change(signed, in: nil, at: scene.now) }
    },
    SignInRule("an account whose owner has removed all that opened its wallet may have another one") { scene in
      let (browser, wallet) = (Browser(), try SignInScene.wallet(1))
      let account = try await scene.signIn(browser)
      let (credential, name, wrapped) = try device(1)
      try await scene.change(.recovery(wrapped), of: account.id, by: wallet, in: browser)
      try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser)
      let other = try SignInScene.wallet(2)
      let add = WalletChange.add(credential, name, wrapped)
      #expect(
        try await scene.change(.recovery(nil), of: account.id, by: wallet, in: browser).wallet == wallet.address)
      await scene.expectRefusal(.notSigned) { try await scene.change(add, of: account.id, by: other, in: browser) }
      #expect(
        try await scene.change(.remove(DeviceID(credential)), of: account.id, by: wallet, in: browser).wallet == nil)
      try await scene.signIn(browser)
      #expect(try await scene.change(add, of: account.id, by: other, in: browser).wallet == other.address)
    },
  ]
}
