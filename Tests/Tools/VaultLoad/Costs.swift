import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Foundation
import VaultContract

/// What the parts of a claim cost on one core, in microseconds, without socket and disk.
struct Costs {
  let expiry: Int64
  let count: Int

  func run() async throws {
    let scene = try await VaultLoad.scene(StoreMaker { InMemoryVaultStore($0, clock: $1) })
    var settings = VaultSettings(version: "1")
    settings.requestsPerMinute = 10_000_000
    let service = VaultService(
      scene.vault, on: scene.store, settings, challenges: ProcessChallengeLog(),
      clock: { Int64(time(nil)) * 1000 })
    guard let peer = ClientAddress("127.0.0.1") else { return }
    for number in 0..<97 as Range<Int64> {
      try await scene.mint(Int64(count) * 1_000_000, to: VaultLoad.sender(number), id: UInt64(number))
    }
    var (claims, bodies, answers): ([MadeClaim], [[UInt8]], [[UInt8]]) = ([], [], [])
    for number in 0..<Int64(count) {
      let (claim, receiver) = (try VaultLoad.claim(scene, number, expiry), try VaultLoad.receiver(number))
      try await scene.lock(claim, from: VaultLoad.sender(number))
      claims.append(claim)
      bodies.append(
        Array(
          PayoutRequest(receiver: receiver.address, .proof(try scene.proof(of: claim, for: receiver))).json.text.utf8))
    }
    try await tell("service") { index in
      let body = bodies[index]
      let response = await service.answer(
        VaultRequest(
          "POST", "/api/claims/\(claims[index].id)/claim",
          headers: [
            .init("Host", "127.0.0.1"), .init("Content-Type", "application/json"),
            .init("Content-Length", "\(body.count)"),
          ], from: peer
        ) { () throws(BodyError) in body })
      if case .bytes(let bytes) = response.body { answers.append(bytes) }
    }
    let receipts = try answers.map { try SignedReceipt($0, in: scene.identity.vault.domain) }
    try await tell("read the request") { _ = try PayoutRequest(bodies[$0]) }
    try await tell("write the receipt") { _ = Answer.receipt(receipts[$0]).body.encoded }
    try await tell("check a signature") { _ = receipts[$0].isSigned(by: scene.identity.address) }
    try await tell("sign") { _ = scene.identity.key.sign(receipts[$0].receipt.digest) }
  }

  private func tell(_ what: String, _ body: (Int) async throws -> Void) async throws {
    let begin = ContinuousClock.now
    for index in 0..<count { try await body(index) }
    print(String(format: "%.1f", (ContinuousClock.now - begin).seconds / Double(count) * 1e6), what)
  }
}
