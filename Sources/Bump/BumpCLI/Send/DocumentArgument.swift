import BumpClaims
import BumpKit
import BumpSystem
import BumpTerminal

/// The card or link that was named on the command line.
enum DocumentArgument {
  /// Reads a contact card from its file.
  ///
  /// - Parameter remedy: what to try if the file cannot be read.
  /// - Throws: `CommandError` if the file cannot be read, or is not a vCard 3.0.
  static func card(_ path: String, remedy: String = "Name another with --card") throws -> Document {
    do {
      return try Document(.card, try PlainFile.read(path, limit: DocumentKind.card.limit + 1))
    } catch let error as PlainFile.Failure {
      throw CommandError(.failure, "\(path) cannot be read: \(error.reason)", remedy: remedy)
    } catch let error as DocumentError {
      throw CommandError(.failure, "\(path): \(error.reason)", remedy: error.remedy)
    }
  }

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
