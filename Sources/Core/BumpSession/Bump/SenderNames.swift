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

  /// Returns the same for a sender that offers something; `nil` too if its offer has another name than its instance, and
  /// no other sender is known by that.
  ///
  /// - Parameters:
  ///   - instance: the sender's instance name.
  ///   - name: the sender's display name in its offer.
  package func distinct(_ instance: String, offeringAs name: DisplayName) -> String? {
    let shown = InstanceName.shown(instance)
    guard let distinct = distinct(instance), distinct != shown.short else {
      return isOfAnother(name.visible, than: instance) ? shown.distinct : nil
    }
    return WantedName(name.text).isWanted(shown.short) ? distinct : nil
  }

  /// Returns the name of a sender to show: the one by which the person here can tell it from others, otherwise its
  /// display name.
  ///
  /// - Parameter instance: the sender's instance name.
  package func shown(_ instance: String) -> String {
    let shown = InstanceName.shown(instance)
    return distinct(instance) ?? (isOfAnother(shown.short, than: instance) ? shown.distinct : shown.short)
  }

  /// Returns whether the person here knows another sender by this name. Anybody can take it as their display name.
  private func isOfAnother(_ name: String, than instance: String) -> Bool {
    if listed.contains(where: { $0.value == name && $0.key != instance }) { return true }
    // The wanted name has the digits of an instance.
    let digits = name.split(separator: "-").last ?? ""
    let hasDigits = digits.utf8.count >= 4 && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return hasDigits && name.contains("-") && wanted?.matches(name) == true
  }
}
