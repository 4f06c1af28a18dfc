import BumpClaims
import BumpSession
import BumpStore
import BumpWire
import Logging

/// The store of a claim that is being sent. It releases the claim before its secret leaves this machine, and records
/// what became of the release.
actor ClaimStorage: SenderStorage {
  private let claim: OutgoingClaim
  private let store: ClaimStore
  private let sender: SenderEnvironment
  /// How many attempts at the digits were reserved for this bump.
  private let reservedDraws: Int

  private var release: ClaimStore.Release?
  private var keptKey: SharedKey?

  init(_ claim: OutgoingClaim, in store: ClaimStore, reserved attempts: Int, for sender: SenderEnvironment) {
    (self.claim, self.store, self.sender, reservedDraws) = (claim, store, sender, attempts)
  }

  private var id: ClaimID { claim.claim.id }

  // MARK: Requests

  func carryOut(_ request: ClaimHandover.Request) async -> [SenderBump<ClaimHandover>.Input] {
    switch request {
    case .release(let connection, let name, let limit, let key):
      // The key is durable before the receiver learns of it.
      var answers: [SenderBump<ClaimHandover>.Input] = []
      if let key { answers.append(.session(connection, .kept(await keep(key)))) }
      return answers + [await release(on: connection, to: name, answerWithin: limit)]
    case .takeBack(let connection):
      return [.session(connection, await takeBack() ? .takenBack : .notTakenBack)]
    case .releaseForLink:
      return [.answered(await releaseForLink())]
    }
  }

  private func release(
    on connection: ConnectionID, to name: DisplayName, answerWithin limit: Duration
  ) async -> SenderBump<ClaimHandover>.Input {
    do {
      let result = try await store.release(
        id, to: name, from: claim.state, answerWithin: limit,
        leaving: sender.configuration.expiryMargin.components.seconds, at: sender.clocks)
      switch result {
      case .released(let deadline):
        release = ClaimStore.Release(peer: name, deadline: deadline)
        return .session(connection, .released)
      case .changedElsewhere(let state): return .answered(.notReleased(connection, .changedElsewhere(state)))
      case .expired: return .answered(.notReleased(connection, .expired))
      case .missing: return .answered(.notReleased(connection, .storeFailed(.notSent(id, in: nil))))
      }
    } catch {
      return .answered(.notReleased(connection, .storeFailed(StoreError(error))))
    }
  }

  private func releaseForLink() async -> ClaimHandover.Answer {
    guard !claim.expiry.hasPassed(at: sender.unixTime) else { return .notReleasedForLink(.expired) }
    do {
      switch try await store.showLink(of: id, base: sender.configuration.linkBase, at: sender.clocks()) {
      case .shown: return .releasedForLink
      case .shownToReceiver(_, let claim), .withheld(let claim):
        return .notReleasedForLink(.changedElsewhere(claim.state))
      case .missing: return .notReleasedForLink(.storeFailed(.notSent(id, in: nil)))
      }
    } catch {
      return .notReleasedForLink(.storeFailed(StoreError(error)))
    }
  }

  /// Undoes the release, and forgets the key that was kept for its receiver.
  ///
  /// - Returns: whether the release was undone.
  private func takeBack() async -> Bool {
    do {
      if let keptKey, let name = sender.configuration.rememberAs { _ = try await store.forget(name, key: keptKey) }
      keptKey = nil
      guard let release else { return false }
      return try await store.takeBack(claim, releasedUntil: release.deadline)
    } catch {
      // What the store says stays true, although less exact: the claim is released, and becomes unknown later.
      sender.logger.error("cannot take back the release of the claim: \(error)")
      return false
    }
  }

  private func keep(_ key: SharedKey) async -> RememberAnswer {
    guard let name = sender.configuration.rememberAs else { return .notAsked }
    do {
      let result = try await store.remember(
        key, as: name, agreedOnWith: .outgoing, isConfirmed: false, at: sender.unixTime)
      if result == .kept { keptKey = key }
      return RememberAnswer(result)
    } catch {
      sender.logger.error("cannot remember \(name): \(error)")
      return .cannotKeep
    }
  }

  // MARK: The end

  func conclude(_ outcome: SendOutcome?, of handover: ClaimHandover, attempts: Int) async -> [SendEvent] {
    await record(outcome?.stateAfterRelease, unusedAttempts: max(0, reservedDraws - attempts))
      + concludeRemembering(handover.remembering)
  }

  private func record(_ state: HandoverState?, unusedAttempts: Int) async -> [SendEvent] {
    guard state != nil || unusedAttempts > 0 else { return [] }
    do {
      let before = try await store.record(
        state, of: id, after: release, at: sender.clocks(), unusedAttempts: unusedAttempts)
      return before.map { [.answeredLate($0.state, with: $0.otherPeer)] } ?? []
    } catch {
      // What the store says stays true, although less exact: the claim is released, and all attempts are used.
      sender.logger.error("cannot record the end of the bump: \(error)")
      return state.map { [.notRecorded($0)] } ?? []
    }
  }

  /// Confirms the key or forgets it.
  private func concludeRemembering(_ remembering: Remembering) async -> [SendEvent] {
    guard let name = sender.configuration.rememberAs else { return [] }
    do {
      if let keptKey {
        switch remembering {
        case .remembered: try await store.confirm(keptKey, of: name)
        case .notRemembered: _ = try await store.forget(name, key: keptKey)
        case .unknown: break
        }
      }
    } catch {
      // An unconfirmed key, or one that only this end has, is harmless: it opens no session.
      sender.logger.error("cannot record what became of the key of \(name): \(error)")
    }
    switch remembering {
    case .remembered: return [.remembered(name)]
    case .notRemembered(let why): return [.notRemembered(name, why)]
    case .unknown: return [.rememberingUnknown(name)]
    }
  }

  /// Returns the outcome with the claim's state in the store: another process may have sent the claim meanwhile, shown
  /// its link or settled it. If the store cannot be read, returns the outcome as it is.
  func updated(_ outcome: SendOutcome) async -> SendOutcome {
    switch outcome {
    case .interrupted, .expired, .undelivered(_, link: nil, _): break
    default: return outcome
    }
    do {
      guard let state = try await store.outgoing(id, at: sender.clocks())?.state else { return outcome }
      if case .interrupted = outcome { return .interrupted(state) }
      return state == claim.state ? outcome : .changedElsewhere(state)
    } catch {
      sender.logger.error("cannot read the claim's state: \(error)")
      return outcome
    }
  }
}
