import Foundation
import Glibc
import Lab
import Testing

/// A directory for cards, on this machine's own file system or on one that has neither hard links nor files without a
/// name.
struct CardDirectory: Sendable {
  enum Kind: CaseIterable, Sendable { case disk, volume }

  let folder: String
  private let volume: ExFATVolume?

  /// Runs the body with an empty one that goes at the end.
  static func with(_ kind: Kind, in user: BumpUser, _ body: (CardDirectory, BumpUser) async throws -> Void) async throws
  {
    switch kind {
    case .disk:
      let folder = "\(user.directory)/cards"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try await body(CardDirectory(folder: folder, volume: nil), user)
    case .volume:
      try await withExFATVolume(mask: "077") { volume in
        let place = CardDirectory(folder: "\(volume.directory)/cards", volume: volume)
        var user = user
        user.prefix = volume.prefix
        try await place.inside {
          try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        }
        try await body(place, user)
      }
    }
  }

  /// The files in it, by name.
  func files() async throws -> [String: Data] {
    try await inside { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) { files, name in
        files[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      }
    }
  }

  func remove(_ name: String) async throws {
    try await inside { try FileManager.default.removeItem(atPath: "\($0)/\(name)") }
  }

  private func inside<Value: Sendable>(_ body: @escaping @Sendable (String) throws -> Value) async throws -> Value {
    guard let volume else { return try body(folder) }
    return try await volume.inside { [folder] in try body(folder) }
  }
}

/// Files by their names.
extension [String: Data] {
  /// Those that are not among others.
  func added(to others: Self) -> Self { filter { others[$0.key] == nil } }
  /// Whether others are all there as they were.
  func keep(_ others: Self) -> Bool { others.allSatisfy { self[$0.key] == $0.value } }
  /// Those whose name ends so.
  func named(by suffix: String) -> Self { filter { $0.key.hasSuffix(suffix) } }
  /// Those of a length.
  func of(_ length: Int) -> Self { filter { $0.value.count == length } }
}

extension BumpUser {
  /// Sends a card to a receiver, which may fail.
  ///
  /// - Returns: the receiver.
  func hand(_ file: String, to receiver: BumpUser, in folder: String) async throws -> ProcessResult {
    let sending = try await start(["send", "--card", file, "--discovery", "none", "--wait", "--yes", "--json"])
    let port = Int(try #require(try await sending.event("advertising").number("port")))
    let received = try await receiver.run(
      "receive", "--save", folder, "--peer", "127.0.0.1:\(port)", "--yes", "--json")
    // Whose receiver has failed waits for another.
    if received.status != 0 { sending.signal(SIGKILL) }
    let sent = try await sending.finish()
    #expect(received.status != 0 || sent.status == 0, "\(sent)")
    return received
  }
}
