import Foundation

/// A resource that comes from a member: a temporary file, and its progress.
final class IncomingResource: @unchecked Sendable {
  let name: String
  let progress: Progress
  let url: URL
  private let size: UInt64?
  private var file: FileHandle?

  /// - Parameter onCancel: told when the program cancels the progress.
  init(name: String, size: UInt64?, onCancel: @escaping @Sendable () -> Void) {
    (self.name, self.size) = (name, size)
    // The name is the member's, so no part of the path.
    url = FileManager.default.temporaryDirectory.appendingPathComponent("multipeer-\(UUID().uuidString)")
    progress = Progress(totalUnitCount: size.flatMap(Int64.init(exactly:)) ?? -1)
    progress.isCancellable = true
    progress.cancellationHandler = onCancel
    // Foundation's own opening leaves the descriptor to children.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
  }

  /// Writes a part; `false` where that fails.
  func write(_ part: [UInt8]) -> Bool {
    guard let file, (try? file.write(contentsOf: Data(part))) != nil else { return false }
    progress.completedUnitCount += Int64(part.count)
    return true
  }

  /// Nothing more comes.
  func finish() {
    try? file?.close()
    file = nil
  }

  /// Takes the file away, unless the program has moved it.
  func remove() { try? FileManager.default.removeItem(at: url) }
}

/// A resource that goes to a member: read part by part, as the connection takes them.
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
  private let onEnd: @Sendable ((any Error)?) -> Void
  private let queue = DispatchQueue(label: "bump.multipeer.resource")
  private var tell: @Sendable (Event) -> Void = { _ in }
  private var isOver = false

  /// - Throws: where the file cannot be read.
  init(_ url: URL, name: String, of node: PeerNode, onEnd: @escaping @Sendable ((any Error)?) -> Void) throws {
    (self.name, self.node, self.onEnd) = (name, node, onEnd)
    // Reading a pipe would wait for its writer, and a folder has no bytes.
    let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw MCError(.unsupported, "A resource is a file.")
    }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    size = try? file.seekToEnd()
    try file.seek(toOffset: 0)
    progress = Progress(totalUnitCount: size.flatMap(Int64.init(exactly:)) ?? -1)
    progress.isCancellable = true
  }

  func begin(_ tell: @escaping @Sendable (Event) -> Void) {
    self.tell = tell
    progress.cancellationHandler = { tell(.failed(MCError(.cancelled))) }
  }

  /// Whether so much of it was read.
  func isSent(percent: Int) -> Bool { Double(progress.completedUnitCount) * 100 >= Double(size ?? 0) * Double(percent) }

  /// Reads the next part.
  func read() {
    node.run(on: queue) { [self] in
      do {
        guard let data = try file.read(upToCount: Self.partLength), !data.isEmpty else { return tell(.end) }
        progress.completedUnitCount += Int64(data.count)
        tell(.part(Array(data)))
      } catch {
        tell(.failed(error))
      }
    }
  }

  /// The member has all of it, or never will.
  func ended(_ error: (any Error)?) {
    node.run(on: queue) { [self] in
      guard !isOver else { return }
      isOver = true
      try? file.close()
      onEnd(error)
    }
  }
}
