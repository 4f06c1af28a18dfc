import BumpClaims
import BumpKit
import BumpText
import BumpWire

/// The parts of a receive's report about the names of senders.
extension ReceiveReport {
  /// The names by which the person here can tell senders apart.
  var names: SenderNames { SenderNames(wanted: from, listed: codes.listed) }

  /// Returns the name of a sender that offers something, in quotes: its display name, with random digits if the person
  /// here chose or named it so. The two have to see to which of several senders a question belongs.
  ///
  /// - Parameters:
  ///   - name: the sender's display name in its offer.
  ///   - instance: its instance name; `nil` if its address was given.
  func quoted(_ name: DisplayName, _ instance: String?) -> String {
    instance.flatMap { names.distinct($0, offeringAs: name) }.map(QuotedName.ofDistinct) ?? name.quoted
  }
}

extension QuotedName {
  /// Returns a sender's name in quotes: the one by which the person here can tell it from others, otherwise its display
  /// name.
  static func ofInstance(_ name: String, _ names: SenderNames = SenderNames()) -> String {
    names.distinct(name).map(ofDistinct) ?? ofVisible(InstanceName.shown(name).short)
  }

  /// Returns a visible name in quotes. It is not cut before the digits that tell it from others.
  static func ofDistinct(_ name: String) -> String { ofVisible(name, columns: WireLimits.instanceName) }
}
