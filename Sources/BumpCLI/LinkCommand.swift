import ArgumentParser
import BumpKit
import BumpWire

struct LinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Show the QR code of a claim of ours again.",
    usage: "bump link <claimid> [<options>]",
    discussion: """
      Whoever has the link can take the money: the claim is marked as such before. An unknown claim may have been taken \
      by the receiver it was sent to. While that may still take it, and once it was delivered, a claim has no link.
      """)

  @Argument(
    help: ArgumentHelp("The claim's id, as `bump history` shows it, or its beginning.", valueName: "claimid"),
    completion: Completions.sentClaims, transform: Arguments.claimID)
  var id: ClaimID

  @Option(help: "What the claim link begins with (default: \(ClaimLink.defaultBase)).", transform: Arguments.linkBase)
  var linkBase = ClaimLink.defaultBase

  @Option(
    help: ArgumentHelp("Make the link's mac with the key in this file (or BUMP_KEY_FILE).", valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp("Write the QR code to this new file too.", valueName: "x.svg"),
    completion: .file(extensions: ["svg"]),
    transform: QRFile.init)
  var qrFile: QRFile?

  @OptionGroup var store: StoreOptions

  func run() async throws {
    try qrFile?.check()
    let sharedKey = try KeyFile.named(key)
    let store = try await store.open()
    let claim = try await ClaimLookup.outgoing(id, in: store)
    let id = claim.claim.id
    guard !claim.expiry.hasPassed(at: UnixTime.now()) else {
      throw CommandError.expired(claim)
    }
    let link = try ClaimLink(base: linkBase, claim: claim.claim, expiry: claim.expiry)
    let now = UnixTime.now()
    guard let claim = try await store.showLink(of: id, at: now) else {
      throw CommandError(.failure, "claim \(id) is not here any more; `bump history` lists them")
    }
    var note = LinkNote.ofNobodys
    switch claim.state {
    case .new, .linkShown, .lost: break
    case .unknown where !claim.isInFlight:
      let peer = claim.peer ?? .somebody
      Console.standardError(
        "claim \(id) is unknown: it may have arrived at \(peer.quoted). Its link is for them alone, and can be taken once."
      )
      note = LinkNote.of(id, mayBeWith: peer)
    case .released, .unknown, .delivered: throw CommandError.notOfferable(claim, at: now)
    }
    let text = link.text(key: sharedKey)
    let written = Result { try qrFile?.write(text) }
    LinkDisplay.show(text, of: id, key: key ?? Environment.value("BUMP_KEY_FILE"), as: .auto, note: note)
    try Console.checkResult()
    try written.get()
  }
}
