/// The head of a server's response, as written by `curl --dump-header`: one, or several if curl followed redirects.
struct HTTPHead: Sendable {
  let status: Located<Int>
  private(set) var contentType: Located<String>?

  /// Returns the heads in a file, in order. Skips lines that belong to none.
  static func all(in file: SourceFile) -> [HTTPHead] {
    var heads: [HTTPHead] = []
    let lines = file.content.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, bytes) in zip(1..., lines) {
      let line = String(decoding: bytes, as: UTF8.self)
      if line.hasPrefix("HTTP/") {
        let words = line.split(whereSeparator: \.isWhitespace)
        let status = words.count > 1 ? Int(words[1]) : nil
        heads.append(HTTPHead(status: Located(status ?? 0, FileLocation(file.path, number))))
      } else if !heads.isEmpty, line.lowercased().hasPrefix("content-type:") {
        let type = line.dropFirst("content-type:".count).trimmed
        heads[heads.count - 1].contentType = Located(type, FileLocation(file.path, number))
      }
    }
    return heads
  }
}
