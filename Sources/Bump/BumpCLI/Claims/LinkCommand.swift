import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient

struct LinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Show the QR code and the link of a claim that you made.",
    usage: "bump link [<claimid>] [<options>]",
    discussion: """
      Whoever has the link can take the money, so bump first records that the link was shown. An unknown claim may have \
      been taken by the receiver it was sent to. No link is shown while a receiver may still take the claim, after its \
      delivery, or once you take its money back. A claim sent with --vault has a link only if the vault has locked its \
      money.
      """)

  @OptionGroup var claimID: SentClaimIDArgument

  @Option(help: LinkBase.help, transform: Arguments.linkBase)
  var linkBase: String?

  @Option(
    help: ArgumentHelp(
      "Authenticate the link with the key in this file (or BUMP_KEY_FILE). The secret stays readable.",
      valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp("Write the QR code to this new file too.", valueName: "x.svg"),
    completion: .file(extensions: ["svg"]),
    transform: QRFile.init)
  var qrFile: QRFile?

  @Option(parsing: .unconditional, help: Arguments.marginHelp, transform: Arguments.margin)
  var expiryMargin = ExpiryMargin.standard

  @OptionGroup var store: StoreOptions

  func run() async throws {
    try qrFile?.check()
    let sharedKey = try KeyFile.named(key)
    let store = try await store.open()
    let claim = try await claimID.find(in: store, "claim whose link can be shown") {
      try await Self.candidates(in: store, limit: $0)
    }
    let id = claim.claim.id
    guard !claim.expiry.hasPassed(at: UnixTime.now()) else {
      throw CommandError.expired(claim)
    }
    var vault: VaultURL?
    if try await store.funding(of: claim.claim, .outgoing) != nil {
      let connector = try VaultConnector(Console(quiet: false))
      let money = try OutgoingFunding(
        claim, at: try await ConfirmedVault.of(claim, in: store, by: connector), in: store)
      vault = money.vault.url
      try await Interrupt.cancels { try await money.checkLocked(leaving: expiryMargin) }
    }
    // Before the link: whoever answers the other bump's question afterwards is refused.
    let offered = try await OfferedElsewhere.note(of: id, in: store)
    let now = UnixTime.now()
    var note = sharedKey == nil ? LinkNote.ofNobodys(id) : LinkNote.of(id, forHolderOf: nil)
    let link: ClaimLink
    switch try await store.showLink(of: id, base: LinkBase.of(linkBase, at: vault)) {
    case .shown(let shown, _):
      link = shown
      if let offered { Console.standardError(offered) }
    case .shownToReceiver(let shown, let claim):
      link = shown
      let peer = claim.peer ?? .somebody
      Console.standardError(
        "\(peer.quoted) may already have claim \(id), and gave no answer. Show the link to nobody else. It can be taken once."
      )
      note = LinkNote.of(id, mayBeWith: peer)
    case .withheld(let claim):
      throw CommandError.notOfferable(claim, at: now)
    case .missing:
      throw CommandError.missing(id)
    }
    if claimID.id == nil {
      Console(quiet: false).say("The link of claim \(id), \(claim.claim.amount) \(claim.claim.token).")
    }
    let text = link.text(key: sharedKey)
    let written = Result { try qrFile?.write(text) }
    LinkDisplay.show(
      text, of: id, key: key ?? Environment.value("BUMP_KEY_FILE"), vault: LinkBase.unnamed(vault, in: link), as: .auto,
      note: note)
    try Console.checkResult()
    try written.get()
  }

  /// How many of the newest entries to search for claims that were not handed over.
  private static let searched = 1000

  /// Returns claims whose links can be shown.
  private static func candidates(in store: ClaimStore, limit: Int) async throws -> [OutgoingClaim] {
    let now = UnixTime.now()
    let new = try await store.history(limit: searched).compactMap { entry -> OutgoingClaim? in
      guard case .sent(let claim) = entry, claim.state == .new, !claim.expiry.hasPassed(at: now) else { return nil }
      return claim
    }
    let undecided = try await store.undecided(limit: limit).filter { !$0.isInFlight }
    return try await Array((new + store.claimsWithLinks(limit: limit) + undecided).prefix(limit))
  }
}
