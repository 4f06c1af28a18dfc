import ArgumentParser
import BumpKit
import Glibc

/// What a shell completes. It is asked for at each press of a key: nothing is made, and little is read.
enum Completions {
  /// Claims, the newest first.
  static let claims = CompletionKind.custom { words, _, _ async in
    await store(words) { store in
      try await store.history(limit: limit).map { entry in
        switch entry {
        case .sent(let outgoing): outgoing.claim.id.description
        case .received(let incoming): incoming.claim.id.description
        }
      }
    }
  }

  /// Claims of ours, the newest first.
  static let sentClaims = CompletionKind.custom { words, _, _ async in
    await store(words) { store in
      try await store.history(limit: limit).compactMap { entry in
        if case .sent(let outgoing) = entry { outgoing.claim.id.description } else { nil }
      }
    }
  }

  /// Those who are remembered.
  static let names = CompletionKind.custom { words, _, _ async in
    await store(words) { try await $0.rememberedNames().map(\.text) }
  }

  static let interfaces = CompletionKind.custom { _, _, _ in
    guard let first = if_nameindex() else { return [] }
    defer { if_freenameindex(first) }
    return sequence(first: first) { $0 + 1 }.lazy.map(\.pointee).prefix { $0.if_index != 0 }.map {
      String(cString: $0.if_name)
    }
  }

  /// More than fit on a screen.
  private static let limit = 50

  /// What the store that the words name has, where it is there; nothing where it cannot be read.
  private static func store(_ words: [String], _ read: (ClaimStore) async throws -> [String]) async -> [String] {
    let named = words.firstIndex(of: "--store").flatMap { words.dropFirst($0 + 1).first }
    let path = named ?? Environment.value("BUMP_STORE") ?? Environment.defaultStore
    guard let store = try? await ClaimStore.openForReading(at: path) else { return [] }
    return (try? await read(store)) ?? []
  }
}
