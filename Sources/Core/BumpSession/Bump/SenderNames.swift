package import BumpClaims
import BumpWire

/// The names by which the person here can tell senders apart: those of a list that they were shown, and a name with
/// random digits by which they named one sender.
package struct SenderNames: Sendable {
  private let wanted: WantedName?
  private let listed: [String: String]

  /// - Parameters:
  ///   - wanted: the name of the wanted sender, as a person gives it; `nil` for any sender.
  ///   - listed: the senders of the list that the person here was shown last; empty for none.
  package init(wanted: String? = nil, listed: [SenderCandidate] = []) {
    self.init(wanted.map(WantedName.init), listed)
  }

  init(_ wanted: WantedName?, _ listed: [SenderCandidate]) {
    self.wanted = wanted
    self.listed = Dictionary(listed.map { ($0.name, $0.shown) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name by which the person here can tell this sender from others, safe to show; `nil` if they know none.
  ///
  /// - Parameter instance: the sender's instance name.
  package func distinct(_ instance: String) -> String? { listed[instance] ?? wanted?.whole(of: instance) }

  /// Returns the same for a sender that offers something; `nil` too if its offer has another name than its instance.
  ///
  /// - Parameters:
  ///   - instance: the sender's instance name.
  ///   - name: the sender's display name in its offer.
  package func distinct(_ instance: String, offeringAs name: DisplayName) -> String? {
    let short = InstanceName.shown(instance).short
    guard let distinct = distinct(instance), distinct != short else { return nil }
    return WantedName(name.text).isWanted(short) ? distinct : nil
  }
}
