#if os(Linux)
  import BumpFaults
  import BumpMultipeer
  import MultipeerConnectivity
  import Synchronization

  /// The faults of a plan for the peers of a node. A fault of one side affects the peers of that side: a peer that
  /// advertises before it browses is an advertiser, one that browses first is a browser.
  final class PlannedFaults: PeerFaults {
    private struct State {
      var chances: SplitMix64
      var traffic: SplitMix64
      var sides: [PeerID: FaultSide] = [:]
      /// How long the program of each peer takes to answer.
      var slowness: [PeerID: Duration] = [:]
      var activities: [PeerID: Set<PeerActivity>] = [:]
      var views: [PeerID: FaultyView<Peer>] = [:]
      /// The peers that each peer's browser has found, with their discovery info.
      var seen: [PeerID: [Peer: [String: String]?]] = [:]
      /// The browsers that are to find a peer of an earlier run.
      var awaitsGhost: Set<PeerID> = []
      var ghosts: Set<Peer> = []
    }

    private let plan: FaultPlan
    private let state: Mutex<State>
    private let hosts = Mutex<(@Sendable (Peer, DrawnHostFault) -> Void)?>(nil)

    init(_ plan: FaultPlan) {
      self.plan = plan
      state = Mutex(
        State(chances: plan.stream("programs", "times"), traffic: plan.stream("programs", "traffic")))
    }

    var times: LinkTimes {
      var times = LinkTimes()
      times.negotiation = plan.time(.negotiation) ?? times.negotiation
      times.silence = plan.time(.silence) ?? times.silence
      return times
    }

    /// Sets the closure that is called when a peer first browses or advertises, with each fault of its host. Without it
    /// these faults have no effect: a real process is not stopped.
    func onHostFault(_ suffer: @escaping @Sendable (Peer, DrawnHostFault) -> Void) { hosts.withLock { $0 = suffer } }

    /// Whether any peer browses or advertises.
    var isDiscovering: Bool { state.withLock { $0.activities.values.contains { !$0.isEmpty } } }

    /// Returns whether one of these peers browses or advertises.
    func isDiscovering(_ peers: PeerID...) -> Bool {
      state.withLock { state in peers.contains { state.activities[$0]?.isEmpty == false } }
    }

    // MARK: Discovery

    var hidesLosses: Bool { plan.discovery.contains(.lossUnseen) || plan.discovery.contains(.stale) }

    func begins(_ activity: PeerActivity, _ peer: Peer) -> PeerRefusal? {
      let (side, faults) = state.withLock { state -> (FaultSide, [DrawnHostFault]) in
        let isNew = state.sides[peer.id] == nil
        let side = state.sides[peer.id] ?? (activity == .browsing ? .browser : .advertiser)
        state.sides[peer.id] = side
        state.activities[peer.id, default: []].insert(activity)
        guard isNew else { return (side, []) }
        for case .slow(let span) in plan.programs(of: side) {
          state.slowness[peer.id] = state.chances.draw(span)
        }
        return (side, plan.hosts(of: side).compactMap { DrawnHostFault($0, using: &state.chances) })
      }
      let suffer = hosts.withLock(\.self)
      for fault in faults { suffer?(peer, fault) }
      for case .refused(let code, let refused) in plan.discovery where refused == side || refused == .both {
        return PeerRefusal(code: code)
      }
      return nil
    }

    func ends(_ activity: PeerActivity, _ peer: Peer) {
      state.withLock { state in
        state.activities[peer.id]?.remove(activity)
        if activity == .browsing { state.seen[peer.id] = nil }
      }
    }

    func reports(of seen: PeerSighting?, to browser: Peer, at now: Moment) -> [(at: Moment, PeerSighting)] {
      state.withLock { state in
        var view = state.views[browser.id] ?? FaultyView(plan, of: browser.name)
        defer { state.views[browser.id] = view }
        switch seen {
        case nil:
          for due in view.began(at: now) {
            guard case .ghost(let isOwn) = due.report else { continue }
            // A ghost with another peer's name can be found only once that peer is found.
            guard isOwn else {
              state.awaitsGhost.insert(browser.id)
              continue
            }
            return ghost(named: browser.name, of: browser, &state).map { [(due.at, .found($0, nil))] } ?? []
          }
          return []
        case .found(let peer, let info):
          state.seen[browser.id, default: [:]][peer] = .some(info)
          let earlier =
            state.awaitsGhost.remove(browser.id) == nil ? nil : ghost(named: peer.name, of: browser, &state)
          return (earlier.map { [(now, .found($0, info))] } ?? [])
            + view.found(peer, at: now).compactMap { due in
              switch due.report {
              case .found(let peer): (due.at, .found(peer, info))
              case .lost(let peer): (due.at, .lost(peer))
              case .ghost: nil
              }
            }
        case .lost(let peer):
          state.seen[browser.id]?[peer] = nil
          return view.lost(peer, at: now).map { ($0.at, .lost(peer)) }
        }
      }
    }

    /// Makes a peer of an earlier run with this name.
    private func ghost(named name: String, of browser: Peer, _ state: inout State) -> Peer? {
      var identities = plan.stream(browser.name, "ghost")
      guard let id = PeerID(identities.bytes(PeerID.length)), let ghost = Peer(id: id, name: name) else { return nil }
      state.ghosts.insert(ghost)
      return ghost
    }

    func isDue(_ sighting: PeerSighting, to browser: Peer) -> Bool {
      guard case .found(let peer, _) = sighting else { return true }
      return state.withLock { $0.ghosts.contains(peer) || $0.seen[browser.id]?[peer] != nil }
    }

    // MARK: Invitations and sessions

    func fate(ofInvitationBy peer: Peer, to other: Peer, timeout: Duration) -> InvitationFate {
      var fate = InvitationFate(timeout: timeout)
      if plan.invitations.contains(.timesOutFalsely) {
        fate.falseEnd = timeout
        fate.timeout = timeout + .seconds(60)
      }
      fate.isToNobody = state.withLock { $0.ghosts.contains(other) }
      return fate
    }

    func arrives(at peer: Peer, isBusy: Bool) -> Bool { !(isBusy && plan.invitations.contains(.lostWhileBusy)) }

    func delay(ofAnswerBy peer: Peer) -> Duration {
      state.withLock { state in
        plan.invitations.reduce(state.slowness[peer.id] ?? .zero) { delay, fault in
          if case .answeredLate(let span) = fault { delay + state.chances.draw(span) } else { delay }
        }
      }
    }

    private func programs(of peer: Peer) -> [ProgramFault] {
      plan.programs(of: state.withLock { $0.sides[peer.id] } ?? .both)
    }

    func terms(_ terms: Terms) -> Terms {
      var terms = terms
      if programs(of: terms.peer).contains(.noEncryption) { terms.preference = .none }
      return terms
    }

    func room(of peer: Peer) -> Int { programs(of: peer).contains(.isFull) ? 1 : MultipeerLimits.peers }

    func verdict(_ isTaken: Bool, of peer: Peer) -> Bool? {
      let faults = programs(of: peer)
      return faults.contains(.certificateUnanswered) ? nil : isTaken && !faults.contains(.certificateRefused)
    }

    func falseDrop(of peer: Peer) -> Duration? {
      state.withLock { state in
        for case .droppedFalsely(let side, let after) in plan.states where side == .both || side == state.sides[peer.id]
        {
          return state.chances.draw(after)
        }
        return nil
      }
    }

    // MARK: Traffic

    func unreliable(_ message: [UInt8], overtaken: inout [UInt8]?) -> [[UInt8]] {
      for fault in plan.traffic {
        switch fault {
        case .unreliableLost(let percent): if happens(percent, "lost") { return [] }
        case .unreliableSwapped(let percent):
          if overtaken == nil, happens(percent, "swapped") {
            overtaken = message
            return []
          }
        case .resourceStalls: break
        }
      }
      defer { overtaken = nil }
      return [message] + (overtaken.map { [$0] } ?? [])
    }

    /// Draws whether something happens with a chance from this range. The chance is drawn once for a plan.
    private func happens(_ percent: ClosedRange<Int>, _ purpose: String) -> Bool {
      var chance = plan.stream("plan", purpose)
      let chances = chance.draw(percent)
      return state.withLock { $0.traffic.happens(percent: chances) }
    }

    var resourceStop: Int? {
      for case .resourceStalls(let percent) in plan.traffic {
        var chance = plan.stream("plan", "stall")
        return chance.draw(percent)
      }
      return nil
    }
  }

  /// A fault of a host. Its times count from when its peer first browses or advertises.
  enum DrawnHostFault: Sendable {
    case vanishes(after: Duration)
    case background(after: Duration, noticed: Duration, returns: Duration)

    /// Draws the times; `nil` for a fault that does not concern peers.
    init?(_ fault: HostFault, using generator: inout SplitMix64) {
      switch fault {
      case .vanishes(let after): self = .vanishes(after: generator.draw(after))
      case .background(let after, let noticed, let returns):
        let start = generator.draw(after)
        let notice = generator.draw(noticed)
        self = .background(after: start, noticed: notice, returns: generator.draw(returns))
      case .noDiscovery, .secondEntry: return nil
      }
    }
  }
#endif
