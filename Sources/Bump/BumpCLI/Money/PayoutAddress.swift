import ArgumentParser
import BumpTerminal
import BumpWallet

/// An address to pay to, in place of the wallet's.
///
/// A payout cannot be taken back, and any 40 hex digits are an address. So a person compares one without a checksum, in
/// which a mistake does not show. Where nobody is asked, it needs the checksum.
struct PayoutAddress: Hashable, Sendable {
  static let help = ArgumentHelp(
    "Pay to this address instead of your wallet's. Unless you can confirm it on a terminal, it must have its checksum (EIP-55).",
    valueName: "address")

  private let address: Address
  /// Whether the address was written with its checksum.
  private let hasChecksum: Bool

  /// - Throws: `ValidationError`.
  init(_ text: String) throws {
    do {
      address = try Address(text)
    } catch {
      throw ValidationError(error.description)
    }
    hasChecksum = address.description == text
  }

  /// Checks, before anything is done, that a person can be asked about an address without a checksum.
  ///
  /// - Parameter asks: whether a person is asked.
  /// - Throws: `ValidationError`.
  func check(asks: Bool) throws {
    guard hasChecksum || asks else {
      throw ValidationError(
        "the address has no checksum (EIP-55), so a mistake in it would not show. Copy it with its capital letters from "
          + "the wallet that it belongs to")
    }
  }

  /// Returns the address. Asks a person first whether it is right, unless it has a checksum.
  ///
  /// - Throws: `CommandError` if they do not say so.
  func confirmed(_ console: Console) async throws -> Address {
    guard !hasChecksum else { return address }
    let lines = ["The address has no checksum, so a mistake in it does not show. With its checksum it is \(address)."]
    guard await Prompt.answer("Does its owner's wallet show the same? Pay to it?", about: lines, console) == .yes else {
      throw CommandError(.declined, "the address was not confirmed, and nothing was asked for")
    }
    return address
  }

  /// Returns whether a word is meant as an address, whole or not.
  static func isLike(_ word: String) -> Bool { word.wholeMatch(of: /0[xX][0-9A-Fa-f]{30,50}/) != nil }
}
