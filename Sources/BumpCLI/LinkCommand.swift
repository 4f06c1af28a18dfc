import ArgumentParser
import BumpKit
import BumpWire

struct LinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Show the QR code of a claim of ours again.",
    usage: "bump link <claimid> [<options>]",
    discussion: "A new claim becomes released by it. One that was delivered has no link any more.")

  @Argument(
    help: ArgumentHelp("The claim's id, as `bump history` shows it.", valueName: "claimid"),
    transform: Arguments.claimID)
  var id: ClaimID

  @Option(help: "What the claim link begins with (default: \(ClaimLink.defaultBase)).", transform: Arguments.linkBase)
  var linkBase = ClaimLink.defaultBase

  @Option(
    help: ArgumentHelp("Make the link's mac with the key in this file (or BUMP_KEY_FILE).", valueName: "file"))
  var key: String?

  @Option(help: ArgumentHelp("Write the QR code to this new file too.", valueName: "x.svg"), transform: QRFile.init)
  var qrFile: QRFile?

  @OptionGroup var store: StoreOptions

  func run() async throws {
    try qrFile?.check()
    let sharedKey = try KeyFile.named(key)
    let store = try await store.open()
    guard let outgoing = try await store.outgoing(id) else {
      throw CommandError(.failure, "there is no claim \(id) of ours here; `bump history` lists them")
    }
    guard outgoing.state != .delivered else {
      throw CommandError(
        .failure, "claim \(id) was delivered to \(outgoing.peer?.visible ?? "a receiver"); it has no link any more")
    }
    guard !outgoing.expiry.hasPassed(at: UnixTime.now()) else {
      throw CommandError(.expired, "claim \(id) expired at \(Moments.text(outgoing.expiry.unixSeconds))")
    }
    let link = try ClaimLink(base: linkBase, claim: outgoing.claim, expiry: outgoing.expiry)
    // False where it is released or unknown already: then its link is out in any case.
    _ = try await store.release(id)
    let text = link.text(key: sharedKey)
    let written = Result { try qrFile?.write(text) }
    LinkDisplay.show(text, as: .auto)
    try Console.checkResult()
    try written.get()
  }
}
