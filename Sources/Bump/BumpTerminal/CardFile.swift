package import BumpSession
import BumpSystem
import BumpWire

/// The file of a contact card that was named on the command line.
package enum CardFile {
  /// Reads a contact card from its file.
  ///
  /// - Parameter remedy: what to try if the file cannot be read.
  /// - Throws: `CommandError` if the file cannot be read, or is not a vCard 3.0.
  package static func card(_ path: String, remedy: String = "Name another with --card") throws -> Document {
    do {
      return try Document(.card, try PlainFile.read(path, limit: DocumentKind.card.limit + 1))
    } catch let error as PlainFile.Failure {
      throw CommandError(.failure, "\(path) cannot be read: \(error.reason)", remedy: remedy)
    } catch let error as DocumentError {
      throw CommandError(.failure, "\(path): \(error.reason)", remedy: error.remedy)
    }
  }
}
