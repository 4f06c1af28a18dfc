import BumpClaims
import BumpKit
import BumpTerminal
import BumpText
import BumpWire

/// The parts of a receive's report for a person who is not asked, and has not said so with --yes: there is no terminal.
extension ReceiveReport {
  /// Says before the receive which offers are accepted, if nobody is asked.
  ///
  /// - Parameter keeps: whether the receive goes on after an offer.
  func sayWhatIsAccepted(keeps: Bool) {
    guard isUnasked else { return }
    console.say("There is no terminal to ask on, so \(accepted(keeps: keeps))")
  }

  private func accepted(keeps: Bool) -> String {
    let whose = from.map { " from a sender called \(QuotedName.of($0))" } ?? peer.map { " from \($0)" } ?? ""
    if keeps { return "every offer\(whose) is accepted. With --key only offers from holders of the key are." }
    let several = from != nil && peer == nil ? ", unless several are called so" : ""
    return "the first offer\(whose) is accepted\(several). With the sender's code only that sender's offer is."
  }

  /// Says who offers a claim, a card or a link, if nobody is asked about it.
  func sayOffer(of what: String, from name: DisplayName) {
    if isUnasked { console.sayOfStrangers("\(name.quoted) offers \(what).") }
  }
}
