import BumpClaims
import BumpClip
import BumpTerminal
import BumpText

/// Reports what happens on a simulated phone: messages on stderr, results or JSON events on stdout.
struct ClipReport: Sendable {
  let console: Console
  let json: JSONLines

  /// Reports what a link opens. Repeats neither the link nor an invalid value, since it may contain a secret.
  ///
  /// - Parameter proceed: what to do after a link was opened, before the result.
  func opened(_ route: Route, on phone: Phone, then proceed: () async throws -> Void) async throws -> ExitStatus {
    switch route {
    case .match(let match):
      let opens = try preview(match, on: phone)
      switch match.fragment {
      case .none: break
      case .missing:
        return end(
          "unauthenticated", .unauthenticated,
          "not a whole claim link: it ends before its #, after which the claim's secret is. Scan it again, or ask for "
            + "a new one")
      case .unverified:
        return end(
          "unauthenticated", .unauthenticated,
          "the claim link is not whole, or was made with a key. `bump receive --link -` says more")
      case .claim: console.say("Take the claim with: bump receive --link -")
      }
      try await proceed()
      return end(opens.rawValue, .success)
    case .broken(let experience, let product, let reason):
      let opens = try phone.open(broken: experience, of: product)
      json.write(
        "broken",
        [
          "experience": .string(experience.id), "product": .string(product.id), "opens": .string(opens.rawValue),
          "reason": .init(reason),
        ])
      return end("broken", .failure, words(reason, experience))
    case .none(let mismatch):
      json.write("none", ["reason": .string(mismatch.rawValue)])
      return end("none", .failure, "no experience takes the link: \(words(mismatch)). A browser opens it")
    }
  }

  /// Reports where a short link leads.
  func resolved(_ link: String) {
    json.write("resolved", ["link": .string(link)])
    console.say("The short link leads to \(VisibleText.of(link)).")
  }

  /// Shows what a link says, and has the phone open it.
  private func preview(_ match: Match, on phone: Phone) throws -> Phone.Destination {
    let (product, opens) = (match.product, try phone.open(match))
    let claim: Claim? = if case .claim(let verified) = match.fragment { verified.claim } else { nil }
    json.write(
      "opened",
      [
        "experience": .string(match.experience.id), "product": .string(product.id), "opens": .string(opens.rawValue),
        "captured": .list(
          match.captured.sorted { $0.key < $1.key }.map { ["name": .string($0.key), "value": .string($0.value)] }),
        "preview": .list(match.preview.map { ["line": .string($0)] }), "amount": claim.map { .init($0.amount) },
        "token": claim.map { .init($0.token) },
      ])
    if !json.isOn { match.preview.forEach { Console.result(VisibleText.of($0)) } }
    console.say(sentence(opens, product))
    return opens
  }

  private func sentence(_ opens: Phone.Destination, _ product: Product) -> String {
    switch opens {
    case .clip: "This opens the App Clip of \(product.name). Its button says: \(product.next)."
    case .app: "This opens the app of \(product.name), which is installed."
    case .browser: "This is for the app of \(product.name) alone, which is not installed. A browser opens it."
    }
  }

  private func words(_ reason: CaptureRule.Reason, _ experience: Experience) -> String {
    guard reason != .secretKey else {
      return "a private key is in the link. Show it to nobody, and ask for the public one, which begins with npub1"
    }
    return "the link is one of \(experience.id), but is broken: its \(reason) is not valid. Ask for a new one"
  }

  private func words(_ mismatch: Route.Mismatch) -> String {
    switch mismatch {
    case .length: "it has more than \(Router.limit) bytes"
    case .character: "it has a character that no URL has"
    case .percent: "a % is not followed by two hex digits"
    case .scheme: "it does not begin with https://"
    case .user: "it names a user before the host"
    case .port: "it names a port"
    case .host: "no product has its host"
    case .segment: "a part of its path is empty, . or .., or has a character that no path has"
    case .path: "no product has its path on that host"
    }
  }

  /// Reports what an app received at its start.
  func consumed(_ product: Product, _ consumption: Phone.Consumption) -> ExitStatus {
    switch consumption {
    case .nothing:
      return done(product, "nothing", saying: "Nothing was handed over: onboarding of \(product.name) runs without it.")
    case .stored(let key, let value):
      return done(
        product, "stored", ["key": .string(key), "value": .string(value)], result: value,
        saying: "\(product.name) has taken it.")
    case .alreadyHere(let key, let value):
      return done(
        product, "alreadyHere", ["key": .string(key), "value": .string(value)], result: value,
        saying: "\(product.name) had taken it before.")
    case .expired(let key):
      return done(
        product, "expired", ["key": .string(key)], saying: "What was handed over was too old, and was dropped.")
    case .invalid(let key):
      return done(
        product, "invalid", ["key": .string(key)],
        saying: "The stored data was not made by \(product.name)'s App Clip. It was deleted.")
    case .messages(let count):
      return done(
        product, "migrated", ["count": .integer(Int64(count))],
        saying: "\(count) \(count == 1 ? "message was" : "messages were") copied.")
    }
  }

  /// Reports the state of a product on the phone.
  func stands(_ product: Product, _ phone: Phone) throws {
    let installation = try phone.installation(of: product)
    let (left, contents) = (phone.left(by: product), try phone.contents(of: product))
    json.write(
      "product",
      [
        "product": .string(product.id), "state": .string(installation.state.rawValue),
        "experience": installation.experience.map { .string($0) },
        "left": .list(left.keys.map { ["key": .string($0)] }),
        "leftMessages": .flag(left.hasMessages),
        "messages": contents.map { .integer(Int64($0.messages.count)) },
        "migrated": contents.map { .flag($0.hasMigrated) },
        "taken": contents.map { contents in
          .list(contents.values.map { ["key": .string($0.key), "value": .string($0.value)] })
        },
      ])
    guard !json.isOn else { return }
    let state =
      switch installation.state {
      case .nothing: "not there"
      case .clip: "App Clip"
      case .app: "app"
      }
    let notes = [
      left.keys.isEmpty ? nil : "left: \(left.keys.joined(separator: ", "))", left.hasMessages ? "left: messages" : nil,
      contents.flatMap { $0.values.isEmpty ? nil : "taken: \($0.values.count)" },
      contents.flatMap { $0.messages.isEmpty ? nil : "messages: \($0.messages.count)" },
    ].compactMap(\.self)
    Console.result(([product.id, state] + notes).joined(separator: "  "))
  }

  /// Reports a step that was carried out for a product.
  ///
  /// - Parameter line: the result, on stdout.
  func done(
    _ product: Product, _ outcome: String, _ pairs: [String: JSONLines.Value?] = [:], result line: String? = nil,
    saying sentence: String
  ) -> ExitStatus {
    if !json.isOn, let line { Console.result(VisibleText.of(line)) }
    console.say(sentence)
    return end(outcome, .success, pairs: pairs.merging(["product": .string(product.id)]) { $1 })
  }

  /// Writes the result, which is the last output.
  func end(
    _ outcome: String, _ status: ExitStatus, _ error: String? = nil, pairs: [String: JSONLines.Value?] = [:]
  ) -> ExitStatus {
    let result: [String: JSONLines.Value?] = [
      "outcome": .string(outcome), "exit": .integer(Int64(status.rawValue)), "error": error.map { .string($0) },
    ]
    json.write("result", result.merging(pairs) { $1 })
    if let error { Console.standardError(error) }
    return status
  }
}
