import BumpWallet
import Samples
import Testing

@testable import BumpChain

/// What a contract that is not ours, or a node that lies, returns.
@Suite struct ResultTests {
  private func words(_ words: [[UInt8]]) -> [UInt8] { words.flatMap { Bytes32(rightAligned: $0).bytes } }

  private let claim: [[UInt8]] = [[1], [2], [3], [4], [1], [5]]

  @Test func `a claim that does not exist has the status none`() throws {
    #expect(try ChainClaim(words([[], [], [], [], [], []])).status == .none)
  }

  @Test func `each status is read by its number, and no other`() throws {
    var read: [ClaimStatus] = []
    for number in UInt8(0)..<4 {
      var claim = claim
      claim[4] = [number]
      read.append(try ChainClaim(words(claim)).status)
    }
    #expect(read == [.none, .pending, .claimed, .refunded])
    var claim = claim
    claim[4] = [4]
    #expect(throws: NodeError(.badResult, "")) { try ChainClaim(words(claim)) }
  }

  @Test func `a result with a byte too few or a word too many is refused`() {
    let result = words(claim)
    #expect(throws: NodeError(.badResult, "")) { try ChainClaim(Array(result.dropLast())) }
    #expect(throws: NodeError(.badResult, "")) { try ChainClaim(result + words([[0]])) }
    #expect(throws: NodeError(.badResult, "")) { try ChainClaim([]) }
  }

  @Test func `an address or a number that is too long is refused`() {
    for index in [0, 1] {
      var claim = claim
      claim[index] = [1] + [UInt8](repeating: 0, count: 20)
      #expect(throws: NodeError(.badResult, "")) { try ChainClaim(words(claim)) }
    }
    var claim = claim
    claim[2] = [1] + [UInt8](repeating: 0, count: 16)
    #expect(throws: NodeError(.badResult, "")) { try ChainClaim(words(claim)) }
  }

  @Test func `an amount beyond every amount of a claim is read, and is no claim of ours`() throws {
    var claim = claim
    claim[2] = [UInt8](repeating: 0xFF, count: 12)
    #expect(try ChainClaim(words(claim)).amount == (1 << 96) - 1)
  }

  @Test func `a Boolean is 0 or 1`() throws {
    #expect(try TokenCall.isUsed(words([[1]])))
    #expect(try !TokenCall.isUsed(words([[]])))
    #expect(throws: NodeError(.badResult, "")) { try TokenCall.isUsed(words([[2]])) }
  }

  @Test func `an event with too few topics, or other data, is refused`() throws {
    let zero = Bytes32(rightAligned: [])
    func log(_ topics: [Bytes32], _ data: [UInt8]) -> ChainLog {
      ChainLog(address: .zero, topics: topics, data: data, blockHash: zero, transaction: zero, index: 0)
    }
    #expect(throws: NodeError(.badResult, "")) { try VaultEvent(log([VaultEvent.refundedTopic], [])) }
    #expect(throws: NodeError(.badResult, "")) { try VaultEvent(log([VaultEvent.refundedTopic, zero], [0])) }
    #expect(throws: NodeError(.badResult, "")) { try VaultEvent(log([VaultEvent.claimedTopic, zero], [])) }
    #expect(throws: NodeError(.badResult, "")) { try VaultEvent(log([VaultEvent.createdTopic, zero, zero], [])) }
    #expect(try VaultEvent(log([zero], [1])) == nil)
    #expect(try VaultEvent(log([], [])) == nil)
  }
}
