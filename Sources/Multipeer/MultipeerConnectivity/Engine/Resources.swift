import Foundation

/// A resource that is received from a member: a temporary file, and the progress.
final class IncomingResource: @unchecked Sendable {
  let name: String
  let progress: Progress
  let url: URL
  private let size: UInt64?
  private var file: FileHandle?

  /// - Parameter onCancel: called when the program cancels the progress.
  init(name: String, size: UInt64?, onCancel: @escaping @Sendable () -> Void) {
    (self.name, self.size) = (name, size)
    // The member chose the resource's name, so the path must not contain it.
    url = FileManager.default.temporaryDirectory.appendingPathComponent("multipeer-\(UUID().uuidString)")
    progress = Progress(totalUnitCount: size.flatMap(Int64.init(exactly:)) ?? -1)
    progress.isCancellable = true
    progress.cancellationHandler = onCancel
    // `FileHandle` would open the file without O_CLOEXEC, and child processes would inherit the descriptor.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
  }

  /// Appends a part to the file. Returns `false` if that fails.
  func write(_ part: [UInt8]) -> Bool {
    guard let file, (try? file.write(contentsOf: Data(part))) != nil else { return false }
    progress.completedUnitCount += Int64(part.count)
    return true
  }

  /// Closes the file: no more parts come.
  func finish() {
    try? file?.close()
    file = nil
  }

  /// Removes the file, unless the program has moved it.
  func remove() { try? FileManager.default.removeItem(at: url) }
}

/// A resource that is sent to a member. It is read part by part, as the connection takes the parts, and as far as it
/// went when that began: the member has been told its size.
final class OutgoingResource: @unchecked Sendable {
  enum Event: Sendable {
    case part([UInt8])
    case end
    case failed(any Error)
  }

  static let partLength = 32 * 1024

  let name: String
  let size: UInt64?
  let progress: Progress
  private let node: PeerNode
  private let file: FileHandle
  /// How many bytes are left to read; `nil` up to the end of the file.
  private var left: UInt64?
  private let onEnd: @Sendable ((any Error)?) -> Void
  private let queue = DispatchQueue(label: "bump.multipeer.resource")
  private var tell: @Sendable (Event) -> Void = { _ in }
  private var isOver = false

  /// - Throws: an error if the file cannot be read.
  init(_ url: URL, name: String, of node: PeerNode, onEnd: @escaping @Sendable ((any Error)?) -> Void) throws {
    (self.name, self.node, self.onEnd) = (name, node, onEnd)
    // Only regular files: reading a pipe would wait for its writer, and a folder has no bytes.
    let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw MCError(.unsupported, "A resource is a file.")
    }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    size = try? file.seekToEnd()
    left = size
    try file.seek(toOffset: 0)
    progress = Progress(totalUnitCount: size.flatMap(Int64.init(exactly:)) ?? -1)
    progress.isCancellable = true
  }

  func begin(_ tell: @escaping @Sendable (Event) -> Void) {
    self.tell = tell
    progress.cancellationHandler = { tell(.failed(MCError(.cancelled))) }
  }

  /// Returns whether this percentage of the file was read.
  func isSent(percent: Int) -> Bool { Double(progress.completedUnitCount) * 100 >= Double(size ?? 0) * Double(percent) }

  /// Reads the next part of the file, and reports it.
  func read() {
    node.run(on: queue) { [self] in
      do {
        let length = Int(min(UInt64(Self.partLength), left ?? .max))
        guard let data = try file.read(upToCount: length), !data.isEmpty else {
          return tell(left ?? 0 == 0 ? .end : .failed(MCError(.unknown, "The file became shorter while it was sent.")))
        }
        left = left.map { $0 - UInt64(data.count) }
        progress.completedUnitCount += Int64(data.count)
        tell(.part(Array(data)))
      } catch {
        tell(.failed(error))
      }
    }
  }

  /// Closes the file and reports the end, once: without an error, the member has all of the resource.
  func ended(_ error: (any Error)?) {
    node.run(on: queue) { [self] in
      guard !isOver else { return }
      isOver = true
      try? file.close()
      onEnd(error)
    }
  }
}
