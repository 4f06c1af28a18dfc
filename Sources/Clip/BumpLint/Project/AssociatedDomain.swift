import BumpClip

/// An entry of the entitlement `com.apple.developer.associated-domains`: `appclips:irl.app`.
struct AssociatedDomain: Hashable, Sendable {
  /// The services that Apple's page of the entitlement lists, and `authsrv`, which extensions for single sign-on use.
  static let services = ["applinks", "appclips", "webcredentials", "activitycontinuation", "authsrv"]

  let service: String
  /// The host in lower case, without the wildcard.
  let host: String
  /// Whether the entry is for the subdomains of the host, as `*.irl.app`, and not for the host itself.
  let isWildcard: Bool
  /// The value of `?mode=`.
  let mode: String?

  /// Reads an entry; `nil` if the text is not valid.
  init?(_ text: String) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, Self.services.contains(String(halves[0])) else { return nil }
    service = String(halves[0])
    let parts = halves[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    isWildcard = parts[0].hasPrefix("*.")
    host = (isWildcard ? parts[0].dropFirst(2) : parts[0]).lowercased()
    let modes = ["developer", "managed", "developer+managed"]
    mode = parts.count == 2 ? modes.first { parts[1] == "mode=\($0)" } : nil
    guard ATName.isHandle(host.utf8), parts.count == 1 || mode != nil else { return nil }
  }

  /// Returns what is wrong with an entry that is not valid, and what to do.
  static func fault(of text: String) -> (what: String, mend: String) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let known = "\(services.dropLast().joined(separator: ", ")) or \(services.last ?? "")"
    guard halves.count == 2, !halves[0].contains(".") else {
      return ("\(text) names no service", "Write the service and a colon in front of the host, as in applinks:HOST")
    }
    guard services.contains(String(halves[0])) else {
      return ("\(text) begins with \(halves[0]):, which is not a service", "Begin it with \(known), and a colon")
    }
    return ("\(text) is not an associated domain", Rule.domainSyntax.mend)
  }

  /// Returns whether the entry is for a host. `*.` is for "all subdomains" (Apple, Supporting associated domains).
  func takes(_ other: String) -> Bool { isWildcard ? other.hasSuffix("." + host) : host == other }
}

/// The associated domains of a target.
struct AssociatedDomains: Sendable {
  /// The valid entries without a build setting.
  let known: [Located<AssociatedDomain>]
  /// The entries with a build setting, which may be for any host that they can become.
  private let unknown: [UnknownText]

  init(_ files: [PlistFile]) {
    let entries = files.flatMap { $0.strings(Entitlement.domains) }
    known = entries.compactMap { entry in AssociatedDomain(entry.value).map { Located($0, entry.place) } }
    unknown = entries.compactMap { entry in
      let address = entry.value.prefix { $0 != "?" }
      return UnknownText(address.lowercased().replacing(":*.", with: ":$(SUBDOMAIN)."))
    }
  }

  /// Returns whether a host is listed for a service, or may be by a build setting.
  func mayList(_ service: String, _ host: String) -> Bool {
    known.contains { $0.value.service == service && $0.value.takes(host) } || mayBecome(service, host)
  }

  /// Returns whether an entry with a build setting may be for a host.
  func mayBecome(_ service: String, _ host: String) -> Bool { unknown.contains { $0.canBecome("\(service):\(host)") } }

  /// Returns whether an entry with a build setting may be for a service.
  func mayBecome(_ service: String) -> Bool { unknown.contains { $0.canBegin(with: "\(service):") } }
}
