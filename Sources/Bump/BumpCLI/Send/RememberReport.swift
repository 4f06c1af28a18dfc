import BumpClaims
import BumpKit
import BumpTerminal
import BumpText

/// Reports whether both ends remember each other: a message on stderr, and an event on stdout.
struct RememberReport: Sendable {
  /// The other end, such as `receiver`.
  let other: String
  /// The command for the next bump with the other end, without the other end's name, such as `bump send 1.00`.
  let command: [String]
  /// The option of that command that names the other end.
  let option: String
  /// The command that the other end runs for that, without the name.
  let counterpart: [String]
  let console: Console
  let json: JSONLines

  func remembered(_ name: DisplayName) {
    json.write("remembered", ["name": .string(name.text)])
    console.say("Both ends remember each other.\(advice("Next time: \(again(name))"))")
  }

  func notRemembered(_ name: DisplayName, _ why: NotRemembered) {
    json.write("notRemembered", ["name": .string(name.text), "reason": .string(why.rawValue)])
    console.say("\(name.quoted) is not remembered, on either side: \(reason(why)).\(remedy(why, name))")
  }

  func unknown(_ name: DisplayName) {
    json.write("rememberingUnknown", ["name": .string(name.text)])
    console.say(
      "The answer was lost, so it is not known whether the \(other) remembers you. "
        + "The key is kept as \(name.quoted), unconfirmed.\(advice("Try: \(again(name))"))")
  }

  /// Says what to do if no holder of a remembered key was found.
  func missed(_ name: DisplayName) {
    console.say(
      "\(name.quoted) has to use the key too: \(ShellCommand.text(counterpart)) NAME. If you are not remembered there, "
        + "forget the key and meet again with a code: \(forget(name))")
  }

  /// Returns what to do next. Nothing in a simulation, whose keys are gone afterwards.
  private func advice(_ next: String) -> String { json.isSimulated ? "" : " \(next)" }
  private func again(_ name: DisplayName) -> String {
    ShellCommand.text(command + ShellCommand.option(option, name.text))
  }
  private func forget(_ name: DisplayName) -> String {
    ShellCommand.text(["bump", "key", "forget"] + ShellCommand.argument(name.text))
  }

  private func reason(_ why: NotRemembered) -> String {
    switch why {
    case .noClaim: "no claim was handed over"
    case .noCode: "this was not a bump with a code"
    case .notAskedThere: "the \(other) was not started with --remember"
    case .nameTakenHere: "another key is kept under that name here"
    case .nameTakenThere: "the \(other) keeps another key under the name it chose"
    case .cannotKeepHere: "the store here cannot keep the key"
    case .cannotKeepThere: "the store of the \(other) cannot keep the key"
    }
  }

  private func remedy(_ why: NotRemembered, _ name: DisplayName) -> String {
    switch why {
    case .nameTakenHere: " Take another name, or forget the key: \(forget(name))"
    case .noCode, .notAskedThere, .nameTakenThere: " To be remembered, both sides need a code and --remember NAME."
    case .noClaim, .cannotKeepHere, .cannotKeepThere: ""
    }
  }
}
