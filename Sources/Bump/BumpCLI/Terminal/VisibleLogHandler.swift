import BumpText
import Logging

/// A handler that escapes messages before a terminal gets them: strangers choose parts of them.
struct VisibleLogHandler: LogHandler {
  private var handler: StreamLogHandler

  init(_ handler: StreamLogHandler) { self.handler = handler }

  var logLevel: Logger.Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }
  var metadata: Logger.Metadata {
    get { handler.metadata }
    set { handler.metadata = newValue }
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { handler[metadataKey: key] }
    set { handler[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = "\(VisibleText.ofMessage("\(event.message)"))"
    handler.log(event: event)
  }
}
