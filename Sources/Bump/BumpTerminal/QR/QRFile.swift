import ArgumentParser
import BumpSystem
import Glibc

/// A new file of mode 0600 with the QR code of a link, which is money.
package struct QRFile: Sendable {
  package let path: String

  /// - Throws: `ValidationError` unless the name ends in `.svg`.
  package init(_ path: String) throws {
    guard path.lowercased().hasSuffix(".svg"), path.utf8.count > 4 else {
      throw ValidationError("the QR file is an SVG drawing, so its name must end in .svg, as in claim.svg")
    }
    self.path = path
  }

  /// Checks in advance that the file can be made.
  ///
  /// - Throws: `CommandError` if the file exists, or its directory cannot be written to.
  package func check() throws {
    var status = stat()
    guard lstat(path, &status) != 0 else { throw failure("is there already", remedy: "Name another") }
    guard errno == ENOENT, access(Directories.folder(of: path), W_OK | X_OK) == 0 else {
      throw failure("cannot be made: \(words(errno: errno))", remedy: "Name another")
    }
  }

  /// Writes the drawing: completely and durably, or not at all. It never overwrites a file.
  ///
  /// - Throws: `CommandError`, `QRCodeError`.
  package func write(_ link: String) throws {
    let picture = Array(SVGDrawing(try QRCode(link)).text.utf8)
    do {
      try PrivateFile.create(path, picture)
    } catch .cannotMake(let code) {
      throw failure("cannot be made: \(PrivateFile.Failure.cannotMake(code).reason)", remedy: "Name another")
    } catch {
      throw failure("cannot be written: \(error.reason)", remedy: "Name another")
    }
  }

  private func failure(_ what: String, remedy: String? = nil) -> CommandError {
    CommandError(.failure, "the QR file \(path) \(what)", remedy: remedy)
  }
}
