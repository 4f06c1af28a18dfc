import BumpClaims
import BumpKit
import BumpTerminal

/// The link that was named on the command line.
enum DocumentArgument {
  /// Reads a link. Rejects the link of a claim, which is money.
  ///
  /// - Throws: `CommandError`.
  static func link(_ text: String) throws -> Document {
    if [text, "https://" + text].contains(where: { (try? UnverifiedClaimLink($0)) != nil }) {
      throw CommandError(
        .usage, "that is the link of a claim, which is money, and --url sends no money",
        remedy: "Send the claim itself, such as: bump send --again")
    }
    do {
      return try Document(.link, Array(text.utf8))
    } catch {
      // A host and a path alone: a query or a fragment may have a secret, which no error repeats.
      let isPage = text.wholeMatch(of: /[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:\/[A-Za-z0-9.\/_~-]*)?/) != nil
      throw CommandError(.usage, error.reason, remedy: "Write https://\(isPage ? text : "example.org")")
    }
  }
}
