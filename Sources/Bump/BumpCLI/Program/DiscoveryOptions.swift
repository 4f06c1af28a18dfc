import ArgumentParser
import BumpDiscovery
import BumpKit
import BumpTerminal

/// The options of discovery.
struct DiscoveryOptions: ParsableArguments {
  enum Backend: String, ArgumentChoice {
    case auto, daemon, embedded, none

    /// - Parameters:
    ///   - interface: the index of a single network interface; 0 for all.
    ///   - say: called with a message if another program holds the port of an address family, and when that family can
    ///     be used again.
    func discovery(
      on interface: UInt32, _ say: @escaping @Sendable (String) -> Void = { _ in }
    ) async -> (any Discovery)? {
      switch self {
      case .auto: await automaticDiscovery(interface: interface, onRefusal: { say("\($0)") }, onReturn: say)
      case .daemon: DNSSDDiscovery(interface: interface)
      case .embedded: EmbeddedDiscovery(interface: interface, onRefusal: { say("\($0)") }, onReturn: say)
      case .none: nil
      }
    }

    /// Returns what works where this backend has failed, as a sentence without a full stop; `nil` if no other does. The
    /// error of a daemon has named the command that starts one.
    ///
    /// - Parameter isSimulated: whether the failure is simulated: then another backend has it too.
    func alternative(isSimulated: Bool = false) -> String? {
      self == .daemon && !isSimulated ? "`--discovery embedded` needs no daemon" : nil
    }

    /// The description of the value, for the help and the manual page.
    var defaultValueDescription: String {
      switch self {
      case .auto: "By avahi-daemon if one runs, or else by bump's own mDNS (default)."
      case .daemon: "By avahi-daemon."
      case .embedded: "By bump's own mDNS."
      case .none: "Not at all: the sender listens, and the receiver needs --peer."
      }
    }
  }

  static let serviceTypeHelp: ArgumentHelp = "The DNS-SD service type, without underscore (default: irl-bump)."
  static let backendHelp: ArgumentHelp = "How sender and receiver find each other."
  static let interfaceHelp = ArgumentHelp("Use this network interface only.", valueName: "if")

  @Option(help: serviceTypeHelp, transform: Arguments.serviceType)
  var serviceType = ServiceType.irlBump

  @Option(name: .customLong("discovery"), help: backendHelp)
  var backend = Backend.auto

  @Option(help: interfaceHelp, completion: Completions.interfaces, transform: Arguments.interface)
  var interface: NetworkInterface?

  /// Warns if this machine, or the interface that was named, is on no network, so that nobody waits in vain.
  func warnOfNoNetwork(_ console: Console) {
    guard backend != .none else { return }
    let own = OwnAddress.current(on: interface)
    if let interface {
      guard own == nil else { return }
      return console.say(
        "The interface \(interface.name) has no network, so bump reaches nobody there. `bump doctor` says why.")
    }
    // Discovery uses no tunnel.
    if let own, own.scope == .network || own.scope == .link { return }
    console.say("There is no network, so bump reaches only this machine. `bump doctor` says why.")
  }

  /// Returns the chosen discovery, which warns if it can use one address family only; `nil` for none.
  func make(_ console: Console) async -> (any Discovery)? {
    await backend.discovery(on: interface?.index ?? 0) { console.say("\($0).") }
  }
}
