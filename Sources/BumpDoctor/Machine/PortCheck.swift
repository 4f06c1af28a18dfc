import BumpWire
import NIOCore
import NIOPosix

/// Whether UDP port 5353, on which all multicast DNS goes, can be shared, and with whom it is.
enum PortCheck {
  struct Facts: Hashable, Sendable {
    var holders: [String]
    /// Why a second program cannot have the port too; `nil` where it can.
    var refusal: String?
  }

  /// Programs that answer for their host, by the 15 bytes that the kernel keeps of a name (PR_SET_NAME of prctl(2)).
  private static let responders: Set<String> = ["avahi-daemon", "systemd-resolve", "mdnsd", "mDNSResponder"]

  static func gather() async -> Facts {
    async let refusal = refusal()
    return Facts(holders: PortHolders.names(port: MulticastGroup.port), refusal: await refusal)
  }

  static func judge(_ facts: Facts) -> Finding {
    // Any program may call itself anything.
    let holders = facts.holders.map { VisibleText.of($0) }
    if let refusal = facts.refusal {
      return .problem(
        .port5353, "UDP port 5353 cannot be shared: \(refusal)",
        cause: holders.isEmpty
          ? "a program holds it for itself" : "\(holders.joinedInProse) holds it for itself, without SO_REUSEADDR",
        mend: "end that program, or have it share the port; `sudo ss -ulpn 'sport = :5353'` names it")
    }
    let responders = facts.holders.filter(Self.responders.contains)
    guard responders.count < 2 else {
      return .note(
        .port5353, "UDP port 5353 is shared by \(holders.joinedInProse)",
        cause: "\(responders.joinedInProse) both answer for this machine, and may contradict each other",
        mend: responders.contains("systemd-resolve")
          ? "MulticastDNS=no in /etc/systemd/resolved.conf, then sudo systemctl restart systemd-resolved"
          : "turn one of them off")
    }
    return .ok(
      .port5353,
      holders.isEmpty ? "UDP port 5353 is free" : "UDP port 5353 can be shared with \(holders.joinedInProse)")
  }

  private static func refusal() async -> String? {
    do {
      let channel = try await MulticastGroup.ipv4.bind { $0.eventLoop.makeSucceededVoidFuture() }
      channel.close(promise: nil)
      return nil
    } catch let error as IOError {
      return words(errno: error.errnoCode)
    } catch {
      return "\(type(of: error))"
    }
  }
}
