package import ArgumentParser
import Glibc

/// Completions for shells. They run at each press of the tab key: they make no files, and read little.
package enum Completions {
  package static let interfaces = CompletionKind.custom { _, _, _ in
    guard let first = if_nameindex() else { return [] }
    defer { if_freenameindex(first) }
    return sequence(first: first) { $0 + 1 }.lazy.map(\.pointee).prefix { $0.if_index != 0 }.map {
      String(cString: $0.if_name)
    }
  }
}
