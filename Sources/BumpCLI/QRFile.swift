import ArgumentParser
import BumpKit
import BumpQR
import Glibc

/// A new file of mode 0600 for the QR code of a link, which is money.
struct QRFile: Sendable {
  let path: String

  /// Throws for a name that says something else is in it.
  init(_ path: String) throws {
    guard path.lowercased().hasSuffix(".svg"), path.utf8.count > 4 else {
      throw ValidationError("the file is an SVG drawing: name it so, such as claim.svg")
    }
    self.path = path
  }

  private var folder: String { Directories.folder(of: path) }

  /// Looks whether the file can be made, before there is anything to write.
  ///
  /// - Throws: `CommandError` where it is there already, or its folder cannot be written.
  func check() throws {
    var status = stat()
    guard lstat(path, &status) != 0 else { throw failure("is there already; name another") }
    guard errno == ENOENT, access(folder, W_OK | X_OK) == 0 else { throw failure("cannot be made: \(reason())") }
  }

  /// Writes the picture: whole and on the disk under its name, or not at all. It never overwrites.
  ///
  /// - Throws: `CommandError`, `QRCodeError`.
  func write(_ link: String) throws {
    let picture = Array(SVGDrawing(try QRCode(link)).text.utf8)
    let suffix = RandomBytes.system.draw(8).map { String($0, radix: 16) }.joined()
    let temporary = "\(path).\(suffix)"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("cannot be made: \(reason())") }
    let isWritten = picture.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) == $0.count }
    // rename(2) would take the place of a file that has come there meanwhile; link(2) does not. Where there are no links,
    // as on FAT, there are no modes either, and others could read it.
    let isDone = isWritten && fsync(file) == 0 && Glibc.link(temporary, path) == 0
    let why = reason()
    close(file)
    unlink(temporary)
    guard isDone else { throw failure("cannot be written: \(why)") }
    // The name too is to be on the disk.
    _ = Directories.sync(folder)
  }

  private func failure(_ what: String) -> CommandError { CommandError(.failure, "the QR file \(path) \(what)") }
  private func reason() -> String { String(cString: strerror(errno)).lowercased() }
}
