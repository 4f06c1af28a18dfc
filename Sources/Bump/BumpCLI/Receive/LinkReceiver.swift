import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI

/// Receives a claim from its link: verifies it, stores it, and asks a vault about its money.
struct LinkReceiver: Sendable {
  let store: StoreOptions
  /// The key file that the link's maker has too; `nil` for that of BUMP_KEY_FILE.
  let keyFile: String?
  /// The remembered name of the link's maker; `nil` if none was named.
  let with: DisplayName?
  let vault: VaultCheck
  let report: ReceiveReport

  /// Receives the claim of a link, or of one on stdin for `-`.
  func take(_ link: String) async throws -> ExitStatus {
    let linked = try await checked(link)
    guard let (outcome, store) = try await stored(linked.claim) else { return .expired }
    var report = report
    report.linkedVault = linked.vault
    report.since = await outcome.since(in: store)
    return try await Interrupt.cancels { [report] in
      await vault.reported(outcome, at: linked.vault, in: store, report, madeBy: linked.maker)
    }
  }

  /// Receives the claim of a link, as `take` does, and asks no vault.
  ///
  /// - Returns: the claim, the vault that the link names, and the store; `nil`, which is reported, if it has expired.
  func kept(_ link: String) async throws -> (claim: VerifiedClaim, vault: VaultURL?, store: ClaimStore)? {
    let linked = try await checked(link)
    return try await stored(linked.claim).map { (linked.claim, linked.vault, $0.store) }
  }

  /// Stores a claim, and reports that.
  ///
  /// - Returns: `nil`, which is reported, if it has expired.
  private func stored(_ verified: VerifiedClaim) async throws -> (outcome: ReceiveOutcome, store: ClaimStore)? {
    // Make no store for a claim that is not received.
    guard !verified.expiry.hasPassed(at: UnixTime.now()) else {
      _ = report.expired(verified.claim)
      return nil
    }
    let store = try await store.open()
    // The claim is kept before a vault, or the person about one, is asked: the link may be nowhere else.
    let outcome = try await store.take(verified)
    if outcome == .expired {
      _ = report.expired(verified.claim)
      return nil
    }
    if let result = outcome.stored { report.event(.stored(StoredStatus(result)), nil) }
    return (outcome, store)
  }

  /// Verifies the given link, or one from stdin: the first line, or what a person types or pastes.
  private func checked(_ link: String) async throws -> LinkedClaim {
    if link == "-", Console.canAsk {
      var hasRefused = false
      let claim = try await Prompt.link(
        "The link:", report.console, isWhole: { Self.isWhole($0) || !Prompt.beginsLink($0) },
        read: { try await verified(UnverifiedClaimLink($0)) },
        isObjection: { error in
          hasRefused = hasRefused || error is ClaimError
          return error is ClaimError
        })
      guard let claim else {
        throw hasRefused
          ? CommandError(.unauthenticated, "nothing was received: no link that can be taken was entered")
          : CommandError(.failure, "nothing was received: no link was entered")
      }
      return claim
    }
    return try await checked(link == "-" ? StandardInput.line() : link, isOnCommandLine: link != "-")
  }

  /// Verifies a link that was read.
  private func checked(_ link: String, isOnCommandLine: Bool) async throws -> LinkedClaim {
    if isOnCommandLine {
      report.console.say(
        "A link on the command line can be seen by others here (ps). With `-` in its place bump asks for it.")
    }
    do {
      return try await verified(UnverifiedClaimLink(link.filter { !$0.isWhitespace }))
    } catch let error as ClaimError {
      // No link is no forged one.
      if link.isEmpty, !isOnCommandLine { throw CommandError(.failure, "no link came on stdin") }
      // A shell cuts a link at its first &.
      let isCut = isOnCommandLine && link.contains("#s=") && !link.contains("&")
      throw CommandError(
        .unauthenticated, error.reason,
        remedy: isCut ? "In a shell, put the link in quotes, or use: bump receive --link -" : error.remedy)
    }
  }

  /// Returns whether a link is complete up to its MAC, so that no further line belongs to it.
  private static func isWhole(_ text: String) -> Bool { text.contains(/&m=[A-Za-z0-9_-]{22}/) }

  /// Verifies a link with the given key. Without one, verifies it without a key and then with the remembered keys,
  /// since the sender does not know its name here.
  private func verified(_ link: UnverifiedClaimLink) async throws -> LinkedClaim {
    guard !Simulation.isSimulated(link.link.claim.token) else {
      throw CommandError(.unauthenticated, "the link is of a simulation, and worth nothing")
    }
    let vault = VaultURL(namedByLinkBase: link.link.base)
    func linked(_ claim: VerifiedClaim, by maker: DisplayName? = nil) -> LinkedClaim {
      LinkedClaim(claim: claim, maker: maker, vault: vault)
    }
    if with == nil, let key = try KeyFile.named(keyFile) { return linked(try link.verify(key: key)) }
    let store = try await store.openForReading()
    if let with {
      return linked(try link.verify(key: try await BumpOptions.key(of: with, for: .incoming, in: store)), by: with)
    }
    do {
      guard let (claim, maker) = try await store?.verify(link) else { return linked(try link.verify()) }
      return linked(claim, by: maker)
    } catch let error as ClaimError where error.code == .linkMAC {
      // If the key is lost here, only the sender can make another link of the claim.
      let remedy =
        "Scan it again, name the key, or have the sender make a link without one: bump link \(link.link.claim.id)"
      throw ClaimError(.linkMAC, error.reason, remedy: remedy)
    }
  }
}

extension ReceiveOutcome {
  /// Returns when the claim was stored, in Unix seconds, if it was here before; `nil` otherwise, or if the store cannot
  /// be read.
  func since(in store: ClaimStore) async -> Int64? {
    guard case .duplicate(let claim) = self else { return nil }
    return try? await store.incoming(claim.claim.id).first { $0.claim == claim.claim }?.receivedAt
  }
}

/// The claim of a link.
private struct LinkedClaim: Sendable {
  let claim: VerifiedClaim
  /// The remembered name of the key that made the link.
  let maker: DisplayName?
  /// The vault that the link names. Whoever made the link chose it.
  let vault: VaultURL?
}
