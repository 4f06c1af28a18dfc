import BumpClaims
import BumpText
import BumpWire

/// The display name of the wanted sender, as a person gives it: as it is, or made visible.
struct WantedName: Hashable, Sendable {
  private let forms: Set<String>

  init(_ text: String) { forms = [text, VisibleText.ofName(text)] }

  /// Whether the name is so long that an instance name may have only a beginning of it.
  var isCut: Bool { forms.contains { $0.utf8.count > InstanceName.room } }

  /// Returns whether a name is the wanted one.
  ///
  /// - Parameter name: a name made visible.
  func matches(_ name: String) -> Bool { forms.contains(name) }

  /// Returns whether a sender may have the wanted name, by the display name in its instance name: a long display name is
  /// truncated there.
  ///
  /// - Parameter short: the display name in the instance name, made visible.
  func isWanted(_ short: String) -> Bool { matches(short) || isCut && mayBegin(with: short) }

  /// Returns the wanted name if it is that of one instance, with at least four of its random digits; otherwise `nil`.
  ///
  /// - Parameter instance: an instance name as received.
  func whole(of instance: String) -> String? {
    [InstanceName.shown(instance).distinct, VisibleText.ofName(instance)].first(where: matches)
  }

  /// Returns whether a sender's offer is from the wanted sender. What a person reads of a long name may be the beginning
  /// of it that is in the instance name.
  ///
  /// - Parameters:
  ///   - name: the sender's display name in its offer.
  ///   - instance: its instance name as received; `nil` if its address was given.
  func takes(_ name: DisplayName, of instance: String?) -> Bool {
    guard let instance, !matches(name.visible) else { return matches(name.visible) }
    let short = InstanceName.shown(instance).short
    return whole(of: instance) != nil || matches(short) && WantedName(name.text).isWanted(short)
  }

  /// Returns whether a name is the wanted one or a beginning of it: an instance name has room for 46 bytes of it. A
  /// joiner behind the last letter of a beginning is not in it.
  ///
  /// - Parameter name: a name made visible.
  func mayBegin(with name: String) -> Bool {
    forms.contains { $0.hasPrefix(name) || $0.unicodeScalars.starts(with: name.unicodeScalars) }
  }
}
