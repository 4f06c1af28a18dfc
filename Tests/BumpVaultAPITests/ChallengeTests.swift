import BumpClaims
import BumpText
import Crypto
import Samples
import Testing

@testable import BumpVaultAPI

/// The proof of work that a draft takes.
struct ChallengeTests {
  private static let key = SymmetricKey(data: Array("secret hmac key".utf8))
  private let issuer = ChallengeIssuer(key: key)

  /// Made with the Python package altcha 1.0.0.
  struct Sample: Sendable {
    let random: String
    let number: Int64
    let expires: Int64
    let digest: String
    let signature: String
  }

  private static let samples = [
    Sample(
      random: "00112233445566778899aabb", number: 0, expires: 1_800_000_000,
      digest: "61d56d2c5bb1b76579d383eca2f25de0f59955175c5a26c2038cef4db238903c",
      signature: "fa7f5eaddcb6d908a77138bbde3a11e3669f18dfe34c60a57153871a8c7178f8"),
    Sample(
      random: "ffeeddccbbaa998877665544", number: 4711, expires: 1_800_000_300,
      digest: "a40e44d528e2257f493c2148df9ae711a5052cff2c9c47e6a27660f85f6c6454",
      signature: "39665b10f93a1963ae4bf16a4d724827d53584594acb06a989b1c0306212d8b3"),
    Sample(
      random: "0123456789abcdef01234567", number: 100_000, expires: 4_102_444_800,
      digest: "bd3d46252214b70a6f36d1d08eed8f6d49a31cf7cee842bd7527752136b12fcf",
      signature: "358b784507ad1d651ff85c0a4365da4ad7b53ec7285170ed112fa01ee93a82c4"),
  ]

  @Test(arguments: samples)
  func `challenges are those of another implementation`(sample: Sample) throws {
    let challenge = issuer.challenge(sample.random, number: sample.number, expires: sample.expires)
    #expect(challenge.digest == sample.digest && challenge.signature == sample.signature)
    #expect(challenge.salt == "\(sample.random)?expires=\(sample.expires)&")
    #expect(try Challenge(challenge.json.encoded) == challenge)
  }

  /// A challenge that is quick to solve, and its solution.
  private func solved(number: Int64 = 47, at now: Int64 = 1_000) async throws -> SolvedChallenge {
    let challenge = issuer.challenge(
      "00112233445566778899aabb", number: number, expires: now + ChallengeIssuer.lifetime)
    return try #require(await challenge.solved())
  }

  @Test func `a solved challenge is taken until it expires, to the second`() async throws {
    let solution = try SolvedChallenge(payload: try await solved().payload)
    #expect(solution.number == 47)
    #expect(issuer.verdict(on: solution, at: 1_299) == .solved(digest: solution.digest, expires: 1_300))
    #expect(issuer.verdict(on: solution, at: 1_300) == .expired)
  }

  @Test func `what was drawn by chance is solved, and no two are alike`() async throws {
    var chance = SplitMix64(seed: 3)
    let small = ChallengeIssuer(key: Self.key, maximumNumber: 50)
    let challenges = (0..<20).map { _ in small.challenge(at: 5, using: &chance) }
    #expect(Set(challenges.map(\.digest)).count == 20)
    for challenge in challenges {
      let solution = try #require(await challenge.solved())
      #expect(small.verdict(on: solution, at: 6) == .solved(digest: challenge.digest, expires: 305))
    }
  }

  /// The solution with one part replaced.
  private func changed(_ solution: SolvedChallenge, _ name: String, _ value: JSONValue) throws -> SolvedChallenge {
    let bytes = try #require(Base64.decoded(solution.payload))
    guard case .object(let members) = try JSONParser.parse(bytes) else { throw RequestError(.malformed, "") }
    let others = members.map { $0.name == name ? JSONValue.Member(name, value) : $0 }
    return try SolvedChallenge(payload: Base64.encoded(JSONValue.object(others).encoded))
  }

  @Test func `a solution that was changed anywhere is not taken`() async throws {
    let solution = try await solved()
    let other = issuer.challenge("ffeeddccbbaa998877665544", number: 1, expires: 9_999)
    let changes: [(String, JSONValue)] = [
      ("number", 48), ("number", -47), ("salt", .string(other.salt)), ("challenge", .string(other.digest)),
      ("signature", .string(other.signature)), ("signature", ""),
      ("signature", .string(solution.signature.uppercased())),
    ]
    for (name, value) in changes {
      #expect(issuer.verdict(on: try changed(solution, name, value), at: 1_001) == .invalid, "\(name)")
    }
    let foreign = ChallengeIssuer(key: SymmetricKey(size: .bits256))
    #expect(foreign.verdict(on: solution, at: 1_001) == .invalid)
  }

  @Test func `no digits move between the time and the number`() async throws {
    // As salt and number are hashed one behind the other, the same digits may be cut elsewhere.
    let solution = try await solved(number: 7_123, at: 1_700)
    let spliced = [
      ("00112233445566778899aabb?expires=2000&7", 123 as Int64), ("00112233445566778899aabb?expires=200", 7_123),
      ("00112233445566778899aabb?expires=2000", 7_123), ("00112233445566778899aabb?expires=2000&0", 7_123),
    ]
    for (salt, number) in spliced {
      let attempt = try changed(try changed(solution, "salt", .string(salt)), "number", .integer(number))
      #expect(issuer.verdict(on: attempt, at: 1_701) == .invalid, "\(salt) \(number)")
    }
  }

  @Test func `a number past the greatest is not taken, though it fits`() async throws {
    let generous = ChallengeIssuer(key: Self.key, maximumNumber: 100)
    let challenge = generous.challenge("00112233445566778899aabb", number: 90, expires: 50)
    let solution = try #require(await challenge.solved())
    #expect(generous.verdict(on: solution, at: 1) != .invalid)
    #expect(ChallengeIssuer(key: Self.key, maximumNumber: 89).verdict(on: solution, at: 1) == .invalid)
  }

  @Test func `a server cannot keep a client busy for ever`() async {
    let endless = Challenge(salt: "a", digest: "b", maximumNumber: .max, signature: "c")
    #expect(await endless.solved(upTo: 1_000) == nil)
    var asked = 0
    let solution = await endless.solved(upTo: .max) {
      asked += 1
      return asked == 3
    }
    #expect(solution == nil && asked == 3)
  }

  @Test(arguments: ["", "!", "e30", "e30=", "W10="])
  func `a payload that is no solved challenge is refused`(payload: String) {
    #expect(throws: RequestError.self) { try SolvedChallenge(payload: payload) }
  }

  @Test func `a draft carries the solution`() async throws {
    let solution = try await solved()
    let address = "0x52908400098527886E0F7030069857D2E4169EE7"
    let body = #"{"token":"\#(address)","amount":"1.00","expiry":60,"altcha":"\#(solution.payload)"}"#
    let draft = try DraftRequest(body.utf8)
    #expect(draft.solution == solution && draft.json.text == body)
  }
}
