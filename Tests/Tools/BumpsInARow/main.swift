// Sends or receives claims one after the other, as a till does that runs all day:
//   BumpsInARow send|receive COUNT STORE daemon|embedded
// Of each it prints the claim id, and how many descriptors and threads the process has then.
import BumpKit
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[2]) else {
  print("usage: BumpsInARow send|receive COUNT STORE daemon|embedded")
  exit(64)
}
let discovery: any Discovery = arguments[4] == "daemon" ? DNSSDDiscovery() : EmbeddedDiscovery()
let store = try await ClaimStore.open(at: arguments[3])

func send() async throws -> ClaimID? {
  let expiry = Expiry(secondsFromNow: 3600)
  let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: expiry)
  var configuration = Sender.Configuration(name: try DisplayName(own: "alice"))
  configuration.discoveryTimeout = .seconds(60)
  let sender = Sender(store: store, discovery: discovery, configuration: configuration)
  let outcome = try await sender.send(claim, to: .anyone)
  guard case .delivered = outcome else {
    print("not delivered: \(outcome)")
    return nil
  }
  return claim.claim.id
}

func receive() async throws -> ClaimID? {
  var configuration = Receiver.Configuration(name: try DisplayName(own: "bob"))
  configuration.discoveryTimeout = .seconds(60)
  let receiver = Receiver(store: store, discovery: discovery, configuration: configuration)
  let outcome = try await receiver.receive()
  guard case .received(let verified) = outcome else {
    print("not received: \(outcome)")
    return nil
  }
  return verified.claim.id
}

for _ in 0..<count {
  guard let id = try await arguments[1] == "send" ? send() : receive() else { exit(1) }
  let counts = try ["fd", "task"].map { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count }
  print(id, counts[0], counts[1])
  fflush(nil)
}
