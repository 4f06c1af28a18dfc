import Foundation
import Glibc
import Synchronization
import Testing

/// A server of mail on 127.0.0.1, for one connection.
public final class ScriptedMailServer: Sendable {
  public let port: UInt16
  private let listener: Int32
  /// Answers by command. `nil` closes the connection, and an empty one says nothing.
  private let answers: [String: String?]
  private let lines = Mutex<[String]>([])

  public init(_ answers: [String: String?] = [:]) throws {
    let (listener, port) = try boundSocket()
    try #require(listen(listener, 1) == 0)
    (self.answers, self.listener, self.port) = (answers, listener, port)
    Thread.detachNewThread { [self] in serve() }
  }

  /// Closes the server. Returns what its client has sent, line for line.
  @discardableResult public func end() -> [String] {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    return sent
  }

  /// What its client has sent, line for line.
  public var sent: [String] { lines.withLock(\.self) }

  private func serve() {
    let client = acceptConnection(on: listener)
    guard client >= 0 else { return }
    defer { close(client) }
    guard answer("greeting", "220 test", client) else { return }
    var (rest, isMessage): ([UInt8], Bool) = ([], false)
    while let line = Self.line(&rest, client) {
      lines.withLock { $0.append(line) }
      let command = isMessage ? (line == "." ? "." : "") : String(line.prefix { $0 != " " })
      switch command {
      case "": continue
      case "EHLO": guard answer(command, "250-test\r\n250 AUTH PLAIN", client) else { return }
      case "AUTH": guard answer(command, "235 ok", client) else { return }
      case "DATA":
        guard answer(command, "354 go", client) else { return }
        isMessage = answers["DATA"] == nil
      case ".":
        isMessage = false
        guard answer(command, "250 ok", client) else { return }
      case "QUIT":
        // One that says nothing leaves the connection open, too.
        guard answer(command, "221 bye", client), answers[command] == "" else { return }
      default: guard answer(command, "250 ok", client) else { return }
      }
    }
  }

  private func answer(_ command: String, _ usual: String, _ client: Int32) -> Bool {
    guard let text = answers[command] ?? .some(usual) else { return false }
    let bytes = text.isEmpty ? [] : Array("\(text)\r\n".utf8)
    return bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } >= 0
  }

  private static func line(_ rest: inout [UInt8], _ client: Int32) -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        let line = rest[..<end].filter { $0 != 13 }
        rest.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      rest += buffer.prefix(count)
    }
  }
}
