import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire

/// Reports the events of a send, whatever is sent: messages on stderr, JSON events on stdout.
struct SendEvents: Sendable {
  let mode: Mode
  /// The path of the key file; `nil` for another credential.
  var keyFile: String?
  var interface: NetworkInterface?
  /// Whether both ends are to remember each other.
  var remembers = false
  /// Whether a card or a link is sent.
  var isDocument = false
  /// The display name of this end.
  var name = DisplayName.somebody
  let console: Console
  let json: JSONLines

  /// Shows the code that was drawn, even with --quiet: without it nobody can receive.
  func tellCode(of credential: Credential) {
    guard case .code(let code) = credential else { return }
    json.write("code", ["code": .string(code.exposed)])
    console.insistInSight("The code is \(code.exposed): tell it to the receiver alone.")
  }

  func tell(_ event: SendEvent, _ progress: Progress) {
    switch event {
    case .advertising(let name, let port, let backend):
      json.write(
        "advertising",
        ["name": .string(name), "port": .integer(Int64(port)), "backend": .string(backend)])
      backend == "none" ? tellCounterpart(port) : progress.announced(as: InstanceName.shown(name).distinct)
    case .connected(let peer):
      json.write("connected", ["peer": .string(peer)])
    case .digits(let digits, let peer):
      json.write("digits", ["digits": .init(digits), "peer": .string(peer)])
      progress.secured(peer, digits)
    case .deciding(let peer, let seconds):
      json.write("deciding", ["peer": .string(peer), "seconds": .integer(Int64(seconds))])
      progress.deciding(peer, seconds: seconds)
    case .sent(let peer):
      json.write("sent", ["peer": .string(peer)])
      progress.sent(peer)
    case .sessionEnded(let peer):
      progress.ended(peer)
    case .accepted(let name):
      json.write("accepted", ["peerName": .string(name.text)])
    case .queued(let name, let count):
      json.write("queued", ["peerName": .string(name.text), "waiting": .integer(Int64(count))])
      console.sayOfStrangers("\(name.quoted) accepts too: \(others(count)).")
    case .inQueue(let place, let peer):
      json.write("inQueue", ["place": .integer(Int64(place)), "peer": .string(peer)])
      progress.queued(peer, at: place)
      console.sayOfStrangers(Self.queue(of: peer, place: place))
    case .outOfQueue(let peer):
      json.write("outOfQueue", ["peer": .string(peer)])
      progress.queued(peer, at: nil)
    case .declinedHere(let name, let count):
      json.write("declinedHere", ["peerName": .string(name.text), "waiting": .integer(Int64(count))])
      let next = count == 0 ? "Waiting for another receiver. \(Interrupt.inWords) ends it" : others(count)
      console.say("Not sent to \(name.quoted). \(next).")
    case .stored(let status):
      json.write("stored", ["status": .integer(Int64(status.rawValue))])
    case .wrongGuess(let left):
      let next = left == 0 ? "the code no longer works" : left == 1 ? "1 try is left" : "\(left) tries are left"
      console.say("Somebody tried a wrong code: \(next).")
    case .turnedAway(let peer):
      json.write("turnedAway", ["peer": .string(peer)])
    case .channelShared(let name, let channel):
      json.write("channelShared", ["name": .string(name), "channel": .integer(Int64(channel))])
      console.sayOfStrangers(
        "\(QuotedName.ofInstance(name)) nearby has a code that begins with \(channel) too. Receivers go on to the right "
          + "sender by themselves. If your code stops working, send again.")
    case .declined:
      console.sayOfStrangers("A receiver declined.")
    case .declinedAtOnce:
      console.sayOfStrangers("A receiver declined, or found the offer expired by its clock.")
    case .sessionFailed(let failure, let peer):
      let sentence = FailureSentence.of(failure, with: peer, in: mode)
      if failure == .aborted(.shuttingDown) {
        console.sayOfStrangers("The receiver at \(PeerHost.of(peer)) left, and has received nothing.")
      } else {
        console.sayFailure(sentence)
      }
    case .discoveryLost(let error):
      console.say("bump: \(error)")
    case .progress(let count, let length):
      json.write("progress", ["bytes": .integer(Int64(count)), "of": .integer(Int64(length))])
      progress.moved(count, of: length)
    // These events are about a claim.
    case .notRecorded, .answeredLate, .remembered, .notRemembered, .rememberingUnknown:
      break
    }
  }

  /// Returns the message for a place in the queue of the receiver at this address.
  static func queue(of peer: String, place: Int) -> String {
    "\(PeerHost.of(peer)) is busy. You are \(place == 1 ? "next" : "number \(place)") in its queue."
  }

  private func others(_ count: Int) -> String { "\(count) \(count == 1 ? "other waits" : "others wait")" }

  /// Prints the command that connects to this sender, which is not advertised.
  private func tellCounterpart(_ port: UInt16) {
    guard let address = OwnAddress.current(on: interface) else { return console.say("Listening on port \(port).") }
    let command = Counterpart.ofListener(
      at: "\(address.text):\(port)", key: keyFile, remembering: remembers ? name : nil, saving: isDocument)
    let place =
      switch address.scope {
      case .network, .tunnel: "On the other machine"
      case .link: "On the other machine, with its network interface for \(OwnAddress.zone)"
      case .loopback: interface == nil ? "There is no network. On this machine" : "On this machine"
      }
    console.say("Listening on port \(port). \(place): \(command)")
  }
}
