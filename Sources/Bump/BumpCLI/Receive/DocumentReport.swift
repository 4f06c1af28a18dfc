import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire

/// Reports the sending of a card or a link: messages on stderr, JSON events on stdout.
struct DocumentReport: Sendable {
  let document: Document
  let mode: Mode
  let events: SendEvents
  /// How receivers find the sender.
  var discovery = DiscoveryOptions.Backend.auto
  var console: Console { events.console }
  var json: JSONLines { events.json }

  var what: String { DocumentText.kind(document.kind) }

  func began(_ credential: Credential) {
    console.say("Sending \(what) of \(document.bytes.count) bytes as \(events.name.visible).")
    for line in DocumentText.preview(document) { console.say(line) }
    if case .card(let reading) = document.content {
      for warning in reading.warnings { console.say("Note: \(warning).") }
    }
    events.tellCode(of: credential)
  }

  /// The fields of the document, for a program that decides.
  var pairs: [String: JSONLines.Value?] {
    ["kind": .string(document.kind.rawValue), "length": .integer(Int64(document.bytes.count))]
  }

  /// Reports the outcome, and returns the exit status.
  ///
  /// - Parameter senders: the other senders that were seen, if no receiver came.
  func conclude(_ outcome: DocumentOutcome, besides senders: OtherSenders.Seen = .init()) -> ExitStatus {
    switch outcome {
    case .delivered(let name, let wasThere):
      console.say("Delivered \(what) to \(name.quoted)\(wasThere ? ", who had it already" : "").")
      return end("delivered", .success)
    case .undelivered(let reason, let found):
      return end("undelivered", .nobody, why(reason, found, besides: senders), found, besides: senders)
    case .unknown(let name):
      return end("unknown", .unknown, "no answer from \(name.quoted), who may have it. Ask, or send it again")
    case .codeBurnt:
      return end(
        "unauthenticated", .unauthenticated, "three wrong tries: this code no longer works. Send again")
    case .declinedHere(let name):
      return end("declined", .declined, "not sent to \(name.quoted)")
    case .interrupted(let mayBeThere):
      return end(
        "interrupted", .interrupted, mayBeThere ? "interrupted: it may have arrived" : "interrupted: nothing was sent")
    }
  }

  func why(_ reason: FallbackReason, _ found: [FailedPeer], besides senders: OtherSenders.Seen) -> String {
    let words = FailedPeerSentence.of(found, in: mode)
    let hint = FailedPeerSentence.remedy(found, in: mode).map { ". \($0)" } ?? ""
    let isSaid = console.hasSaid(words) && !json.isOn
    return switch reason {
    case .discoveryTimeout:
      words.map { "no \(isSaid ? "other " : "")receiver was found in time\(isSaid ? "" : ": \($0)")\(hint)" }
        ?? OtherSenders.clause(senders, command: "bump receive --save DIR").map {
          "no receiver was found in time. \($0)"
        } ?? "nobody was found in time. Start `bump receive --save DIR` there and try again"
    case .sendTimeout:
      "a receiver came, but the transfer failed\(isSaid ? "" : ": \(words ?? "no answer in time")")\(hint)"
    case .discoveryUnavailable:
      "nobody can be found without discovery" + (discovery.alternative().map { ". \($0)" } ?? "")
    case .declined: "every receiver that connected declined"
    case .interference: "stopped: three receivers declined or failed after they had seen the digits. Try --code"
    }
  }

  private func end(
    _ outcome: String, _ status: ExitStatus, _ error: String? = nil, _ found: [FailedPeer] = [],
    besides senders: OtherSenders.Seen = .init()
  ) -> ExitStatus {
    json.write(
      "result",
      [
        "outcome": .string(outcome), "kind": .string(document.kind.rawValue),
        "length": .integer(Int64(document.bytes.count)), "exit": .integer(Int64(status.rawValue)),
        "error": error.map { .string($0) }, "found": .init(found), "senders": .init(senders.senders),
      ])
    if let error { Console.standardError(error) }
    return status
  }
}
