#if Vault
  import BumpVaultAPI
  import Foundation
  import Logging

  /// Logs to the error stream, a line of JSON for each message.
  struct JSONLog: LogHandler {
    var metadata = Logger.Metadata()
    var logLevel: Logger.Level
    let label: String

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      var members: [JSONValue.Member] = [
        .init("time", .string(Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)))),
        .init("level", .string(event.level.rawValue)), .init("message", .string("\(event.message)")),
      ]
      for (name, value) in self.metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: {
        $0.key < $1.key
      }) {
        members.append(.init(name, .string("\(value)")))
      }
      ErrorStream.write(JSONValue.object(members).encoded + [0x0A])
    }
  }
#endif
