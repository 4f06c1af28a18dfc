import Testing

@testable import BumpSharedCards

/// What is answered over HTTP, without a socket.
@Suite struct CardServiceTests {
  private static let now = SharedCardTests.now

  /// One card, and a store that fails where it is asked for another.
  private struct OneCard: SharedCardStore {
    let only: SharedCard
    func put(_ card: SharedCard) async throws(SharedCardError) { throw SharedCardError(.store) }
    func removeExpired(at now: Int64) async throws(SharedCardError) -> Int { 0 }
    func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard {
      guard id != SharedCardTests.id(9) else { throw SharedCardError(.store) }
      guard id == only.id, !only.hasExpired(at: now) else { throw SharedCardError(.absent) }
      return only
    }
  }

  private static func service(at moment: Int64 = now) throws -> (CardService, SharedCard) {
    let card = try SharedCard(
      sealing: SharedCardTests.vcard, as: SharedCardTests.id(1), with: SharedCardKey(), at: now)
    return (CardService(OneCard(only: card)) { moment }, card)
  }

  @Test func `a card is given out under any path that ends in its name`() async throws {
    let (service, card) = try Self.service()
    for path in ["/\(card.id)", "/appclip/shared/\(card.id)", "/a/\("\(card.id)".lowercased())?x=1"] {
      let answer = await service.answer("GET", path)
      #expect(answer.status == 200 && answer.body == card.record, "\(path)")
      #expect(answer.headers.contains { $0.name == "Cache-Control" && $0.value == "no-store" })
    }
  }

  @Test func `expired, unknown and no name at all have one answer`() async throws {
    let (service, card) = try Self.service()
    let (later, expired) = try Self.service(at: Self.now + 86_400)
    let answers = [
      await later.answer("GET", "/\(expired.id)"), await service.answer("GET", "/\(SharedCardTests.id(2))"),
      await service.answer("GET", "/"), await service.answer("GET", ""), await service.answer("GET", "/\(card.id)/"),
      await service.answer("GET", "/../\(card.id)x"), await service.answer("GET", "\(card.id)"),
      await service.answer("GET", "/" + String(repeating: "a", count: 2048) + "/\(card.id)"),
    ]
    #expect(answers.allSatisfy { $0.status == 404 } && Set(answers).count == 1)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "get", "OPTIONS", ""])
  func `nobody writes by it`(method: String) async throws {
    let (service, card) = try Self.service()
    let answer = await service.answer(method, "/\(card.id)")
    #expect(answer.status == 405 && answer.headers.contains { $0.name == "Allow" })
  }

  @Test func `a store that fails is no absent card`() async throws {
    let answer = await (try Self.service()).0.answer("GET", "/\(SharedCardTests.id(9))")
    #expect(answer.status == 500 && !String(decoding: answer.body, as: UTF8.self).contains("/"))
  }
}
