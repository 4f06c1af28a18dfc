import BumpClaims
import BumpKit
import BumpTerminal

/// The link that was named on the command line.
enum DocumentArgument {
  /// Reads a link. Rejects the link of a claim, which is money.
  ///
  /// - Throws: `CommandError`.
  static func link(_ text: String) throws -> Document {
    if (try? UnverifiedClaimLink(text)) != nil {
      throw CommandError(
        .usage, "that is the link of a claim, which is money, and --url sends no money",
        remedy: "Send the claim itself, such as: bump send --again")
    }
    do {
      return try Document(.link, Array(text.utf8))
    } catch {
      throw CommandError(.usage, error.reason)
    }
  }
}
