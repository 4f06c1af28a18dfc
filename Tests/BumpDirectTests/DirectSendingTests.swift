import BumpChain
import BumpNode
import BumpWallet
import Testing

@testable import BumpDirect

/// What is said once a transaction may have left, and what a second command does about the first one's.
@Suite struct DirectSendingTests {
  private static let refused = NodeReply.answer(
    status: 200, retryAfter: nil,
    body: Array(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"insufficient funds"}}"#.utf8))
  private static let known = NodeReply.answer(
    status: 200, retryAfter: nil,
    body: Array(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"already known"}}"#.utf8))

  @Test func `not sent is said only where no byte left`() throws {
    var chain = try ScriptedChain()
    chain.replies["eth_sendRawTransaction"] = .unsent("the connection is refused")
    let failure = try chain.run().failure
    #expect(failure?.code == .notSent && failure?.transaction == nil)
    #expect(chain.log.last == "eth_sendRawTransaction")
  }

  @Test func `a transaction that a node refuses may have been sent, and is named by its hash`() throws {
    var chain = try ScriptedChain()
    chain.replies["eth_sendRawTransaction"] = Self.refused
    let failure = try #require(try chain.run().failure)
    #expect(failure.code == .perhapsSent && failure.transaction == chain.offer?.transaction.hash)
    #expect(failure.reason.contains("\(try #require(failure.transaction))"))
  }

  @Test(arguments: [
    .lost("the connection was closed"), known, .answer(status: 502, retryAfter: nil, body: []),
  ])
  func `where the answer to a transaction is lost, its receipt is looked for`(reply: NodeReply) throws {
    var chain = try ScriptedChain()
    chain.replies["eth_sendRawTransaction"] = reply
    #expect(try chain.run().get().isNew)
    chain = try ScriptedChain()
    (chain.replies["eth_sendRawTransaction"], chain.blocks) = (reply, nil)
    let failure = try chain.run(rounds: 4).failure
    #expect(failure?.code == .perhapsSent && failure?.transaction == chain.sent.first)
    #expect(chain.log.count { $0 == "eth_getTransactionReceipt" } == 4)
  }

  @Test(arguments: ["eth_getTransactionReceipt", "eth_call claims"])
  func `a node that fails once the transaction is sent leaves it in doubt`(method: String) throws {
    var chain = try ScriptedChain()
    chain.blocks = 0
    var session = try chain.session()
    let (failure, asked) = try Self.end(of: &session, chain, failing: method)
    #expect(failure?.code == .perhapsSent && asked == 3)
  }

  /// Runs a session, with a node that does not answer a question once the transaction was sent.
  private static func end(
    of session: inout DirectSession, _ chain: ScriptedChain, failing method: String
  ) throws -> (DirectFailure?, asked: Int) {
    var (chain, asked) = (chain, 0)
    var step = session.handle(.begin)
    while true {
      switch step {
      case .finish(let result): return (result.failure, asked)
      case .ask(let message):
        let reply = try chain.reply(to: message)
        let fails = !chain.sent.isEmpty && chain.log.last == method
        if fails { asked += 1 }
        step = session.handle(.reply(fails ? .lost("closed") : reply))
      case .offer: step = session.handle(.agreed)
      case .record: step = session.handle(.recorded)
      case .pause: step = session.handle(.waited)
      }
    }
  }

  @Test func `a transaction that reverts is said to have cost its gas, and why the claim is not to be had`() throws {
    var chain = try ScriptedChain()
    (chain.takesEffect, chain.blocks) = (false, 0)
    let failure = try chain.run().failure
    #expect(failure?.code == .reverted && failure?.transaction == chain.sent.first)
    #expect(failure?.reason.contains("has cost 1000 wei: the claim is pending") == true)
    // The contract does not say whom another has paid: a vault may have carried a claim for this receiver.
    chain = try ScriptedChain()
    (chain.takesEffect, chain.blocks, chain.meanwhile) = (false, 0, { $0.status = 2 })
    let slower = try chain.run().failure
    #expect(slower?.code == .reverted && slower?.remedy == "A vault has the receipt, which says to whom")
    #expect(slower?.reason.contains("another transaction has claimed the claim") == true)
  }

  @Test func `a claim that the contract still calls pending is not paid, whatever the receipt says`() throws {
    var chain = try ScriptedChain()
    (chain.statusAfter, chain.blocks) = (1, 0)
    let failure = try chain.run().failure
    #expect(failure?.code == .perhapsSent)
    #expect(chain.log.count { $0 == "eth_call claims" } == 4)
  }

  @Test func `an earlier transaction that has paid the claim is found, and none is sent`() throws {
    var chain = try ScriptedChain()
    chain.mined[ScriptedChain.earlier] = true
    let payment = try chain.run(known: [.word(1 as UInt64), ScriptedChain.earlier, .word(2 as UInt64)]).get()
    #expect(payment.status == .claimed && !payment.isNew && payment.transaction == ScriptedChain.earlier)
    #expect(chain.sent.isEmpty && chain.offer == nil)
  }

  @Test func `an earlier transaction that waits is waited for, and none is sent`() throws {
    var chain = try ScriptedChain()
    chain.pendingNonce = 8
    let failure = try chain.run(known: [ScriptedChain.earlier]).failure
    #expect(failure?.code == .perhapsSent && failure?.transaction == ScriptedChain.earlier)
    #expect(chain.sent.isEmpty && chain.offer == nil)
    // Its fee may be too low.
    let words = "a wallet that has the same key can replace it (same nonce, higher fee)"
    #expect(failure?.remedy?.hasSuffix(words) == true)
  }

  @Test func `a transaction that had reverted before is not the result where another of the wallet waits`() throws {
    var chain = try ScriptedChain()
    (chain.pendingNonce, chain.mined[ScriptedChain.earlier]) = (8, false)
    let failure = try chain.run(known: [ScriptedChain.earlier]).failure
    #expect(failure?.code == .waiting && failure?.transaction == nil)
    #expect(!chain.log.contains("pause") && chain.sent.isEmpty)
  }

  @Test func `of two earlier transactions the one that has not reverted is waited for`() throws {
    var chain = try ScriptedChain()
    (chain.pendingNonce, chain.mined[.word(1 as UInt64)]) = (8, false)
    let failure = try chain.run(known: [ScriptedChain.earlier, .word(1 as UInt64)]).failure
    #expect(failure?.code == .perhapsSent && failure?.transaction == ScriptedChain.earlier)
    // Both at first, and then that one as often as it is allowed.
    #expect(chain.log.count { $0 == "eth_getTransactionReceipt" } == 5)
    #expect(chain.sent.isEmpty)
  }

  @Test func `an earlier transaction that reverts while it is waited for is the result`() throws {
    let chain = try ScriptedChain()
    var other = chain
    other.pendingNonce = 8
    var session = try chain.session(known: [ScriptedChain.earlier])
    var step = session.handle(.begin)
    while true {
      switch step {
      case .ask(let message): step = session.handle(.reply(try other.reply(to: message)))
      case .pause:
        other.mined[ScriptedChain.earlier] = false
        step = session.handle(.waited)
      case .finish(let result):
        let failure = result.failure
        #expect(failure?.code == .reverted && failure?.transaction == ScriptedChain.earlier)
        return
      case .offer, .record:
        Issue.record("another transaction is offered")
        return
      }
    }
  }

  @Test func `a claim that is claimed while no block of the node has one's transaction may be one's own`() throws {
    var chain = try ScriptedChain()
    chain.status = 2
    let failure = try chain.run(known: [ScriptedChain.earlier]).failure
    #expect(failure?.code == .perhapsSent && failure?.transaction == ScriptedChain.earlier)
    #expect(chain.sent.isEmpty)
    // Where none is known, another has claimed it.
    #expect(try chain.run().failure?.code == .claimed)
  }

  @Test(arguments: [0, 4, 5, 6, 11])
  func `a command that sends nothing leaves an earlier transaction in doubt`(question: Int) throws {
    var whole = try ScriptedChain()
    _ = try whole.run(known: [ScriptedChain.earlier]).get()
    var chain = try ScriptedChain()
    chain.replies[whole.log[question]] = .lost("closed")
    let failure = try chain.run(known: [ScriptedChain.earlier]).failure
    #expect(failure?.code == .perhapsSent && failure?.transaction == ScriptedChain.earlier)
    #expect(chain.sent.isEmpty)
    var other = try ScriptedChain()
    let interrupted = try other.run(known: [ScriptedChain.earlier], cancelledAt: question).failure
    #expect(interrupted?.code == .perhapsSent && interrupted?.transaction == ScriptedChain.earlier)
    // One that was reverted is in no doubt.
    chain.mined[ScriptedChain.earlier] = false
    let reverted = try chain.run(known: [ScriptedChain.earlier]).failure
    #expect(reverted?.code == (question > 4 ? .node : .perhapsSent))
  }

  @Test func `in place of an earlier transaction that is gone another is sent, with the same number`() throws {
    var chain = try ScriptedChain()
    chain.mined[.word(1 as UInt64)] = false
    let payment = try chain.run(known: [.word(1 as UInt64), ScriptedChain.earlier]).get()
    #expect(payment.isNew && payment.transaction == chain.sent.first)
    let simulated = try #require(chain.log.firstIndex(of: "eth_call simulation"))
    #expect(try simulated < #require(chain.log.firstIndex(of: "offer")))
  }

  @Test func `the earlier transaction may get into a block in place of the one that was sent now`() throws {
    let chain = try ScriptedChain()
    var other = chain
    var session = try chain.session(known: [ScriptedChain.earlier])
    var step = session.handle(.begin)
    while true {
      if case .finish(let result) = step {
        let payment = try result.get()
        #expect(payment.transaction == ScriptedChain.earlier && !payment.isNew)
        return
      }
      switch step {
      case .ask(let message): step = session.handle(.reply(try other.reply(to: message)))
      case .offer: step = session.handle(.agreed)
      case .record: step = session.handle(.recorded)
      case .pause:
        other.mined[ScriptedChain.earlier] = true
        other.blocks = nil
        step = session.handle(.waited)
      case .finish: break
      }
    }
  }

  @Test func `money that is the sender's again is what a refund and a take-back want`() throws {
    for deed in [DirectCall.Deed.refund, .takeBack] {
      var chain = try ScriptedChain()
      chain.status = 3
      let payment = try chain.run(deed).get()
      #expect(payment.status == .refunded && payment.transaction == nil && !payment.isNew)
      chain = try ScriptedChain()
      chain.statusAfter = deed == .refund ? 3 : 2
      #expect(try chain.run(deed).get().isNew)
      // A receiver was quicker.
      chain = try ScriptedChain()
      chain.status = 2
      #expect(try chain.run(deed).failure?.code == .claimed)
    }
    var chain = try ScriptedChain()
    chain.refusal = "not expired"
    #expect(try chain.run(.refund).failure?.code == .notExpired)
  }

  @Test func `an interrupted command has sent nothing before the transaction left, and may have sent it from then on`()
    throws
  {
    var whole = try ScriptedChain()
    _ = try whole.run().get()
    let sending = try #require(whole.log.firstIndex(of: "eth_sendRawTransaction"))
    for place in whole.log.indices {
      var chain = try ScriptedChain()
      let failure = try chain.run(cancelledAt: place).failure
      #expect(failure?.code == (place <= sending ? .interrupted : .perhapsSent), "\(place)")
      #expect(chain.sent.isEmpty == (place <= sending))
      #expect(failure?.transaction == chain.sent.first)
    }
  }
}
