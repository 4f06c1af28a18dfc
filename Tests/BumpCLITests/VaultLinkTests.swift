import BumpClaims
import BumpKit
import BumpVaultAPI
import Foundation
import Glibc
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpCLI

/// A claim that comes by a link is kept before any vault is asked about it, or its person about a vault.
@Suite(.processes(2)) struct VaultLinkTests {
  private let testbed: VaultTestbed
  private var alice: Person { testbed.alice }
  private var bob: Person { testbed.bob }

  init() async throws { testbed = try await .withFundedSender() }

  /// The commands that have the claim of a link on stdin paid.
  static let paying = [["receive", "--link", "-", "--claim"], ["claim", "-"]]

  private func link(base: String) throws -> String {
    let made = try UnverifiedClaimLink(strangersLink()).link
    return try ClaimLink(base: base, claim: made.claim, expiry: made.expiry).text
  }

  private func expectKept(_ finished: ProcessResult, status: Int32) async throws {
    #expect(finished.status == status, "\(finished)")
    #expect(finished.standardError.contains("kept here"), "\(finished)")
    #expect(finished.standardError.contains("Claim it later with: bump claim stranger --vault "), "\(finished)")
    #expect(try await bob.history().map { $0.string("claimId") } == ["stranger"])
  }

  @Test(arguments: paying)
  func `a claim whose vault is not confirmed and does not answer is kept, and it is said how to claim it later`(
    command: [String]
  ) async throws {
    _ = try await bob.run("wallet", "new")
    let nobody = "http://127.0.0.1:\(try closedPort())"
    let link = try strangersLink()
    try await expectKept(try await bob.run(command + ["--vault", nobody, "--yes"], input: link + "\n"), status: 1)
    try await expectKept(try await bob.run(command + ["--vault", nobody], input: link + "\n"), status: 1)
    let json = try await bob.run(command + ["--vault", nobody, "--json"], input: link + "\n")
    #expect(try json.events.map { $0.string("event") } == ["stored", "funding", "result"], "\(json)")
    #expect(try json.result.string("funding") == "notClaimed" && json.result.number("exit") == 1, "\(json)")
    let outcome = command.first == "claim" ? "failed" : "duplicate"
    #expect(try json.result.string("outcome") == outcome, "\(json)")
  }

  @Test func `a claim is kept too where a vault is only asked about it, and where there is no wallet`() async throws {
    let link = try strangersLink()
    let asked = try await bob.take(link, "--vault", testbed.server.url)
    try await expectKept(asked, status: 0)
    #expect(asked.standardError.contains("Confirm it once with: bump wallet trust \(testbed.server.url)"), "\(asked)")
    #expect(testbed.server.requests.count(where: { $0.contains("strang") }) == 0)
    #expect(try await bob.run("wallet", "trust", testbed.server.url, "--yes").status == 0)
    let poor = try await bob.take(link, "--vault", testbed.server.url, "--claim")
    try await expectKept(poor, status: 1)
    #expect(poor.standardError.contains("`bump wallet new`"), "\(poor)")
  }

  /// `irl.app` is no vault.
  @Test(arguments: paying) func `a link at the default base has no vault, and its claim is kept`(command: [String])
    async throws
  {
    try await testbed.open(bob)
    let refused = try await bob.run(command + ["--yes"], input: try strangersLink() + "\n")
    try await expectKept(refused, status: 64)
    #expect(refused.standardError.contains("bump: --claim needs a vault. Claim stranger is kept here"), "\(refused)")
    #expect(!refused.standardError.contains("irl.app"), "\(refused)")
  }

  /// A stranger may have made the link, and runs its host.
  @Test(arguments: paying)
  func `a link's host is no vault before its person has confirmed it, and is asked for nothing, with --yes too`(
    command: [String]
  ) async throws {
    try await testbed.open(bob)
    let host = "https://127.0.0.1:\(try closedPort())"
    let refused = try await bob.run(command + ["--yes"], input: try link(base: "\(host)/claim") + "\n")
    try await expectKept(refused, status: 1)
    #expect(refused.standardError.contains("the vault \(host) is not known here"), "\(refused)")
    #expect(!refused.standardError.contains("Waiting for the vault"), "\(refused)")
  }

  @Test func `a link's host gets its first packet only after the answer to the question whether to ask it`()
    async throws
  {
    let listener = try Listener()
    let claiming = try await RunningProcess.start(
      [BumpCommand.binary, "claim", try link(base: "https://127.0.0.1:\(listener.port)/claim")],
      environment: bob.environment, streams: .terminal)
    try await claiming.text("Connect to that vault? [y/n] ")
    #expect(listener.isUntouched)
    claiming.type("n\n")
    let finished = try await claiming.finish()
    #expect(finished.status == 4 && finished.standardOutput.contains("kept here"), "\(finished)")
    #expect(listener.isUntouched)
    #expect(try await bob.history().map { $0.string("claimId") } == ["stranger"])
  }

  // MARK: Addresses

  private static let lower = "0x52908400098527886e0f7030069857d2e4169ee7"
  private static let checked = "0x52908400098527886E0F7030069857D2E4169EE7"

  @Test func `an address without its checksum is paid only after a person has compared it with that`() async throws {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    _ = try await bob.take(link)
    func claim(_ answer: String) async throws -> ProcessResult {
      let claiming = try await RunningProcess.start(
        [BumpCommand.binary, "claim", id, "--vault", testbed.server.url, "--address", Self.lower],
        environment: bob.environment, streams: .terminal)
      try await claiming.text("With its checksum it is \(Self.checked).")
      try await claiming.text("Pay to it? [y/n] ")
      #expect(!testbed.server.requests.contains { $0.contains("/claim ") })
      claiming.type(answer)
      return try await claiming.finish()
    }
    #expect(try await claim("n\n").status == 4)
    let alone = try await bob.run("claim", id, "--vault", testbed.server.url, "--address", Self.lower)
    #expect(alone.status == 64 && alone.error?.contains("has no checksum") == true, "\(alone)")
    let unasked = try await bob.run("receive", "--link", "-", "--claim", "--yes", "--address", Self.lower)
    #expect(unasked.status == 64 && unasked.error?.contains("has no checksum") == true, "\(unasked)")
    let paid = try await claim("y\n")
    #expect(paid.status == 0 && paid.standardOutput.contains("Claimed 1.00 USDC to \(Self.checked)"), "\(paid)")
  }

  @Test func `a link at a vault names the vault, and any other base names none`() throws {
    let vault = try #require(VaultURL("https://vault.example:8443"))
    #expect(LinkBase.of(nil, at: vault) == "https://vault.example:8443/claim")
    #expect(LinkBase.of("https://pay.example/cl", at: vault) == "https://pay.example/cl")
    #expect(LinkBase.of(nil, at: VaultURL("http://vault.example")) == ClaimLink.defaultBase)
    #expect(LinkBase.of(nil, at: nil) == ClaimLink.defaultBase)
    #expect(LinkBase.of(nil, at: VaultURL("http://localhost:8642")) == "http://127.0.0.1:8642/claim")
    #expect(VaultURL(namedByLinkBase: "https://vault.example:8443/claim") == vault)
    for base in [
      ClaimLink.defaultBase, "https://pay.example/cl", "https://vault.example", "http://vault.example/claim",
      "https://user@vault.example/claim", "https://vault.example/a/claim", "https://VAULT.example/claim",
    ] {
      #expect(VaultURL(namedByLinkBase: base) == nil, "\(base)")
    }
  }

  @Test func `where the link does not name the vault, the command for the receiver does`() throws {
    let vault = try #require(VaultURL("http://192.0.2.7:8080"))
    let claim = try UnverifiedClaimLink(strangersLink()).link
    #expect(LinkBase.unnamed(vault, in: claim) == vault)
    #expect(Counterpart.ofLink(key: nil, vault: vault) == "bump receive --link - --vault http://192.0.2.7:8080")
    let named = try #require(VaultURL("https://vault.example"))
    let own = try ClaimLink(base: LinkBase.of(nil, at: named), claim: claim.claim, expiry: claim.expiry)
    #expect(LinkBase.unnamed(named, in: own) == nil && LinkBase.unnamed(nil, in: claim) == nil)
  }
}

/// A port at which somebody listens, and has accepted nobody yet.
private final class Listener {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isListening)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Whether nobody has connected. The kernel completes a connection without this program.
  var isUntouched: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 0
  }
}
