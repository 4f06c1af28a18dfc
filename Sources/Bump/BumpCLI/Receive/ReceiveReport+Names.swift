import BumpClaims
import BumpDoctor
import BumpKit
import BumpTerminal
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

  /// Reports the senders nearby that have other names than the wanted one.
  func otherNames(_ others: [SenderCandidate]) {
    json.write(
      "otherNames",
      ["senders": .list(others.map { ["name": .string($0.name), "shown": .string($0.shown)] })])
    guard let from else { return }
    console.sayOfStrangers("No sender nearby is called \(QuotedName.of(from)). \(presence(of: others)).")
  }

  /// Returns the error where only senders of other names were found.
  func lack(besides others: [SenderCandidate]) -> String {
    let yours = others.count == 1 ? "that is yours" : "yours is among them"
    return "\(VisibleText.of(from ?? "")) was not found in time: \(presence(of: others)). "
      + "If \(yours), name it, as it is shown here, with --from"
  }

  /// Returns which senders are nearby, those first whose names are most like the wanted one, as a clause.
  private func presence(of others: [SenderCandidate]) -> String {
    let most = 4
    let wanted = Array(from ?? "")
    let near = others.map { ($0, NearestWord.distance(wanted, Array($0.shown))) }
      .sorted { ($0.1, $0.0.shown) < ($1.1, $1.0.shown) }
    let more = others.count > most ? ["\(others.count - most) more"] : []
    let names = near.prefix(most).map { QuotedName.ofDistinct($0.0.shown) } + more
    return "\(names.joinedInProse) \(others.count == 1 ? "is" : "are") here"
  }
}

extension QuotedName {
  /// Returns a sender's name in quotes: the one by which the person here can tell it from others, otherwise its display
  /// name.
  static func ofInstance(_ name: String, _ names: SenderNames = SenderNames()) -> String {
    let (shown, short) = (names.shown(name), InstanceName.shown(name).short)
    return shown == short ? ofVisible(short) : ofDistinct(shown)
  }

  /// Returns a visible name in quotes. It is not cut before the digits that tell it from others.
  static func ofDistinct(_ name: String) -> String { ofVisible(name, columns: WireLimits.instanceName) }
}
