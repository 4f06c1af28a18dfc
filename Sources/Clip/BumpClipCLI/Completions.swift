import ArgumentParser
import BumpClip
import BumpTerminal

/// Completions for shells. They run at each press of the tab key: they make no files, and read little.
extension Completions {
  /// The products, those of the directory that the command line names too.
  static let products = CompletionKind.custom { words, _, _ in
    let named =
      words.firstIndex(of: "--experiences").flatMap { words.dropFirst($0 + 1).first }
      ?? words.first { $0.hasPrefix("--experiences=") }.map { String($0.dropFirst("--experiences=".count)) }
    return ((try? Experiences.known(in: named)) ?? .builtIn).products.map(\.id)
  }
}
