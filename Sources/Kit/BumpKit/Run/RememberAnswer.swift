import BumpStore
import BumpWire

extension RememberAnswer {
  /// This end's answer to REMEMBER, from the result of storing its key.
  init(_ result: RememberResult) {
    switch result {
    case .kept: self = .yes
    case .nameTaken: self = .nameTaken
    }
  }
}
