import BumpChain
import BumpWallet
import Testing
import VaultContract

extension ChainRule {
  static let leaseRules = [
    ChainRule("one process has a lease, until its time has passed", setsClock: true) { scene, maker in
      let other = try await maker.make(ChainScene.vault, scene.clock)
      let (key, first, second) = (scene.key.address, ChainScene.first, ChainScene.second)
      #expect(try await other.takeLease(of: key, holder: second, seconds: 60) == .other(seconds: 60))
      scene.clock.set(ChainScene.time + 50)
      #expect(try await scene.store.takeLease(of: key, holder: first, seconds: 60) == .held(scene.lease))
      scene.clock.set(ChainScene.time + 109)
      #expect(try await other.takeLease(of: key, holder: second, seconds: 60) == .other(seconds: 1))
      #expect(try await other.leaseSeconds(of: key) == 1)
      scene.clock.set(ChainScene.time + 110)
      #expect(try await other.leaseSeconds(of: key) == nil)
      let taken = ChainLease(key: key, holder: second, fence: scene.lease.fence + 1)
      #expect(try await other.takeLease(of: key, holder: second, seconds: 60) == .held(taken))
    },
    ChainRule("a holder that lost its lease writes nothing, and may not give up another's", setsClock: true) {
      scene, maker in
      let other = try await maker.make(ChainScene.vault, scene.clock)
      let request = ChainScene.deposit(1)
      let entry = try scene.entry(request, nonce: 0)
      _ = try await scene.store.ask(request, at: ChainScene.time, replacing: nil, nil)
      scene.clock.set(ChainScene.time + 60)
      _ = try await other.takeLease(of: scene.key.address, holder: ChainScene.second, seconds: 60)
      let lost = ChainStoreError(.leaseLost, "")
      await #expect(throws: lost) { try await scene.store.write(entry, scene.lease) }
      await #expect(throws: lost) { try await scene.store.finish(entry, nil, scene.lease) }
      await #expect(throws: lost) { try await scene.store.drop(request, scene.lease) }
      await #expect(throws: lost) { try await scene.advance(from: 0, to: 1) }
      await #expect(throws: lost) { try await scene.store.finalize(upTo: 0, scene.lease) }
      await #expect(throws: lost) { try await scene.store.begin(behind: ChainScene.header(5), scene.lease) }
      #expect(try await other.entries(of: scene.key.address) == [])
      #expect(try await other.height()?.tip == ChainScene.header(0))
      try await scene.store.giveUp(scene.lease)
      let again = try await scene.store.takeLease(of: scene.key.address, holder: ChainScene.first, seconds: 60)
      #expect(again == .other(seconds: 60))
    },
    ChainRule("a lease that was given up is free") { scene, maker in
      try await scene.store.giveUp(scene.lease)
      #expect(try await scene.store.leaseSeconds(of: scene.key.address) == nil)
      let other = try await maker.make(ChainScene.vault, scene.clock)
      let answer = try await other.takeLease(of: scene.key.address, holder: ChainScene.second, seconds: 60)
      #expect(answer == .held(ChainLease(key: scene.key.address, holder: ChainScene.second, fence: 2)))
    },
  ]
}
