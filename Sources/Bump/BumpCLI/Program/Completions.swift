import ArgumentParser
import BumpKit
import BumpTerminal
import Glibc

/// Completions for shells. They run at each press of the tab key: they make no files, and read little.
extension Completions {
  /// The ids of all claims, the newest first.
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

  /// The ids of claims that were made here, the newest first.
  static let sentClaims = CompletionKind.custom { words, _, _ async in
    await store(words) { store in
      try await store.history(limit: limit).compactMap { entry in
        if case .sent(let outgoing) = entry { outgoing.claim.id.description } else { nil }
      }
    }
  }

  /// The ids of claims that were received here, the newest first.
  static let receivedClaims = CompletionKind.custom { words, _, _ async in
    await store(words) { store in
      try await store.history(limit: limit).compactMap { entry in
        if case .received(let incoming) = entry { incoming.claim.id.description } else { nil }
      }
    }
  }

  /// The remembered names.
  static let names = CompletionKind.custom { words, _, _ async in
    await store(words) { try await $0.rememberedNames().map(\.text) }
  }

  /// The most completions: more than fit on a screen.
  private static let limit = 50

  /// Reads completions from the store that the command line names; none if the store cannot be read.
  private static func store(_ words: [String], _ read: (ClaimStore) async throws -> [String]) async -> [String] {
    let named =
      words.firstIndex(of: "--store").flatMap { words.dropFirst($0 + 1).first }
      ?? words.first { $0.hasPrefix("--store=") }.map { String($0.dropFirst("--store=".count)) }
    let path = named ?? Environment.value("BUMP_STORE") ?? Environment.defaultStore
    guard let store = try? await ClaimStore.openForReading(at: path) else { return [] }
    return (try? await read(store)) ?? []
  }
}
