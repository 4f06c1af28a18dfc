#if Vault
  import BumpDiscovery
  package import BumpNostr
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// Asks Nostr relays over WebSocket (RFC 6455), with SwiftNIO. It only connects: `RelaySession` decides.
  package enum Relays {
    /// The answer of one relay.
    package struct Answer: Sendable {
      package let relay: RelayURL
      /// How the session with the relay ended.
      package let ending: RelaySession.Ending
      /// The newest profile that the relay sent; `nil` if it sent none that passed every check.
      package let profile: NostrProfile?
      /// How many events were rejected, by the reason.
      package let refusals: [ProfileEvent.Refusal: Int]
    }

    /// The error for trusted certificates that cannot be read.
    package struct UnreadableRoots: Error, Sendable {}

    /// Asks all relays at the same time for a person's profile. Returns when the last one has answered or its time is
    /// up.
    ///
    /// - Parameters:
    ///   - strangers: the relays among them that a stranger has named. Such a relay is asked only if it is in `hosts`.
    ///     Otherwise its answer ends with `disconnected`.
    ///   - hosts: the public hosts, without this machine's networks.
    ///   - now: the time in seconds since 1970.
    ///   - roots: a PEM file of certificates to trust instead of the system's; `nil` for the system's.
    ///   - limit: how long each relay may take.
    /// - Returns: the answers, in the order of the relays.
    package static func ask(
      _ relays: [RelayURL], strangers: Set<RelayURL> = [], in hosts: PublicHosts = PublicHosts(besides: .current()),
      for key: NostrKey, at now: Int64, roots: String? = nil,
      within limit: Duration = RelaySession.timeLimit
    ) async throws(UnreadableRoots) -> [Answer] {
      let tls = try relays.contains(where: \.isSecure) ? context(roots) : nil
      let loops = MultiThreadedEventLoopGroup.singleton
      return await withTaskGroup(of: (Int, Answer).self) { group in
        for (index, relay) in relays.enumerated() {
          group.addTask {
            let session = await RelayConnection.run(
              RelaySession(for: key, at: now), with: relay, in: strangers.contains(relay) ? hosts : nil, tls: tls,
              on: loops.next(), within: limit)
            return (
              index,
              Answer(
                relay: relay, ending: session.ending ?? .disconnected, profile: session.profile,
                refusals: session.refusals)
            )
          }
        }
        var answers: [(Int, Answer)] = []
        for await answer in group { answers.append(answer) }
        return answers.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }

    private static func context(_ roots: String?) throws(UnreadableRoots) -> NIOSSLContext {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      if let roots { configuration.trustRoots = .file(roots) }
      do {
        return try NIOSSLContext(configuration: configuration)
      } catch {
        throw UnreadableRoots()
      }
    }
  }
#endif
