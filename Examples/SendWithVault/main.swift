// Locks USDC at a vault, and sends the claim to the receiver that types the code: SendWithVault STORE WALLET VAULT AMOUNT
// `bump wallet new` makes a wallet. A vault that is not confirmed in the store is confirmed on this terminal first.
import BumpKit
import BumpVaultAPI
import BumpVaultClient
import BumpWallet
import Glibc

/// Asks the owner of the store whether to trust a vault with their money.
func confirmed(_ url: VaultURL, in store: ClaimStore) async throws -> ConfirmedVault? {
  let vault = try await UnconfirmedVault(at: url, in: store)
  print("\(url) is \(vault.statement.vault.address). Its operator holds the money. Type yes to trust it:")
  return readLine() == "yes" ? try await vault.confirm() : nil
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = VaultURL(arguments[3]) else {
  print("usage: SendWithVault STORE WALLET VAULT AMOUNT")
  exit(64)
}
do {
  let store = try await ClaimStore.open(at: arguments[1])
  let wallet = try WalletFile.read(arguments[2])
  var known = try await ConfirmedVault.known(url, in: store)
  if known == nil { known = try await confirmed(url, in: store) }
  guard let vault = known else { exit(4) }

  // Vaults take whole minutes.
  let inAnHour = Expiry(clamping: UnixTime.now() / 60 * 60 + 3600)
  let new = try await OutgoingFunding.make(Amount(arguments[4]), .usdc, expiry: inAnHour, at: vault, in: store)
  // If this throws, nothing is sent: `OutgoingFunding.lock` asks again for a claim whose money may be locked.
  let (money, _) = try await new.lockReplacing(from: wallet)

  var configuration = Sender.Configuration(name: try DisplayName(own: "alice"))
  configuration.discoveryTimeout = .seconds(60)
  configuration.expiryMargin = .seconds(ExpiryMargin.standard.seconds)
  let sender = Sender(store: store, discovery: await automaticDiscovery(), configuration: configuration)
  let code = OneTimeCode(random: RandomBytes.system.draw)
  print("tell the receiver alone: \(code.exposed)")
  switch try await sender.send(money.claim, to: .code(code)) {
  case .delivered(let name, _): print("delivered \(arguments[4]) USDC to \(name)")
  default: print("claim \(money.claim.claim.id) was perhaps not delivered. Its money can be refunded after an hour")
  }
} catch {
  print("SendWithVault: \(error)")
  exit(1)
}
