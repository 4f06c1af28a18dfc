// Receives one claim of at most LIMIT USDC, by the sender's code: ReceiveAndDecide STORE LIMIT CODE [HOST:PORT]
// With an address it connects there, without discovery.
import BumpKit
import Glibc

let arguments = CommandLine.arguments
let peer = arguments.count == 5 ? Endpoint(arguments[4]) : nil
guard (4...5).contains(arguments.count), peer != nil || arguments.count == 4 else {
  print("usage: ReceiveAndDecide STORE LIMIT CODE [HOST:PORT]")
  exit(64)
}
do {
  let store = try await ClaimStore.open(at: arguments[1])
  let limit = try Amount(arguments[2])
  var configuration = Receiver.Configuration(name: try DisplayName(own: "bob"))
  configuration.credential = .code(try OneTimeCode(arguments[3]))
  configuration.peer = peer
  configuration.discoveryTimeout = .seconds(60)
  let receiver = Receiver(store: store, discovery: await automaticDiscovery(), configuration: configuration)

  // A program with a person asks here, and shows `digits` to compare with the other screen.
  let outcome = try await receiver.receive(
    onEvent: { if case .discoveryLost(let error) = $0 { print("senders cannot be found: \(error)") } },
    decide: { question in question.offer.token == .usdc && question.offer.amount <= limit })
  switch outcome {
  case .received(let verified): print("received \(verified.claim.amount) \(verified.claim.token)")
  case .duplicate(let verified): print("received before, do not credit it again: \(verified.claim.id)")
  case .conflicting(let verified): print("stored, although another claim has its id: \(verified.claim.id)")
  case .declinedHere: print("declined: more than \(limit) USDC")
  case .wrongCode: print("nothing received: the sender has another code")
  case .nobody(_, []): print("nothing received: no sender was found")
  case .nobody(_, let failed): print("nothing received: a sender was found, but failed: \(failed[0].reason)")
  default: print("nothing received: \(outcome)")
  }
} catch {
  print("ReceiveAndDecide: \(error)")
  exit(1)
}
