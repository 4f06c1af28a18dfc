import Foundation
import Glibc

/// A node of a chain of its own as a process: Tests/Tools/Chain/node.py, which lists its calls. It listens on loopback, and
/// keeps nothing.
public struct TestChain: Sendable {
  public let process: RunningProcess
  public let url: String
  public let chainID: UInt64
  /// The addresses of what its options had it deploy.
  public let token: String?
  public let vault: String?

  /// The folder of the node, and the Python that has what it needs.
  private static let folder = URL(filePath: #filePath).appending(path: "../../../Tools/Chain").standardized.path
  static let python = URL(filePath: folder).appending(path: "../../../.build/chain/python/bin/python").standardized.path

  /// Starts a node, and returns once it listens.
  public static func start(_ options: [String] = ["--token", "--vault"]) async throws -> TestChain {
    let process = try await RunningProcess.start(
      [python, "\(folder)/node.py"] + options, environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    process.closeInput()
    let line = try JSONObject(try await process.line { $0.hasPrefix("{") })
    guard let url = line.string("url"), let chainID = line.number("chainId") else {
      throw OutputEnded(description: "no URL of a node: \(line)")
    }
    return TestChain(
      process: process, url: url, chainID: UInt64(chainID), token: line.string("token"), vault: line.string("vault"))
  }

  /// Gives a test a node, and ends it afterwards.
  public static func with<Result: Sendable>(
    _ options: [String] = ["--token", "--vault"], _ body: @Sendable (TestChain) async throws -> Result
  ) async throws -> Result {
    let chain = try await start(options)
    do {
      let result = try await body(chain)
      try await chain.end()
      return result
    } catch {
      try? await chain.end()
      throw error
    }
  }

  /// Ends the node.
  public func end() async throws {
    process.signal(SIGTERM)
    _ = try await process.finish()
  }

  /// Makes a call, and returns its result: a string's text, and anything else as JSON.
  ///
  /// - Parameter parameters: the parameters as JSON: a list, or an object.
  @discardableResult public func call(_ method: String, _ parameters: String = "[]") async throws -> String {
    let message = #"{"jsonrpc": "2.0", "id": 1, "method": "\#(method)", "params": \#(parameters)}"#
    let sent = try await RunningProcess.start([
      "curl", "--silent", "--show-error", "--noproxy", "*", "--header", "Content-Type: application/json", "--data",
      message, url,
    ]).finish()
    guard
      sent.status == 0,
      let answer = try JSONSerialization.jsonObject(with: Data(sent.standardOutput.utf8)) as? [String: Any],
      answer["error"] == nil, let result = answer["result"]
    else { throw CommandFailed(finished: sent) }
    if let text = result as? String { return text }
    return String(
      decoding: try JSONSerialization.data(withJSONObject: result, options: [.fragmentsAllowed, .sortedKeys]),
      as: UTF8.self)
  }
}
