// Sends one claim to the receiver that types the code: SendOne STORE AMOUNT [PORT]
// With a port (0 for any free one) the sender is not advertised: tell the receiver the address and port.
import BumpKit
import Glibc

let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count), let port = UInt16(arguments.count == 4 ? arguments[3] : "0") else {
  print("usage: SendOne STORE AMOUNT [PORT]")
  exit(64)
}
do {
  let store = try await ClaimStore.open(at: arguments[1])
  let inAnHour = Expiry(secondsFromNow: 3600)
  let claim = try await store.create(amount: Amount(arguments[2]), token: .usdc, expiry: inAnHour)

  var configuration = Sender.Configuration(name: try DisplayName(own: "alice"))
  configuration.port = port
  configuration.discoveryTimeout = .seconds(60)
  let discovery = arguments.count == 4 ? nil : await automaticDiscovery()
  let sender = Sender(store: store, discovery: discovery, configuration: configuration)
  let code = OneTimeCode(random: RandomBytes.system.draw)
  print("tell the receiver alone: \(code.exposed)")
  let outcome = try await sender.send(claim, to: .code(code)) { event in
    switch event {
    case .advertising(_, let port, "none"): print("listening on port \(port)")
    case .discoveryLost(let error): print("receivers cannot find this sender: \(error)")
    case .declined, .declinedAtOnce: print("a receiver declined")
    default: return
    }
    fflush(nil)
  }
  switch outcome {
  case .delivered(let name, _): print("delivered \(claim.claim.amount) USDC to \(name)")
  case .undelivered(let reason, let link?, _):
    print("not delivered (\(reason)). Whoever has this link can take it: \(link.text)")
  case .unknown(let name, let link?): print("\(name) never answered, and may have it. So may whoever uses \(link.text)")
  default: print("not sent: \(outcome)")
  }
} catch {
  print("SendOne: \(error)")
  exit(1)
}
