import BumpStore
import BumpWire

extension RememberAnswer {
  /// This end's answer, after what became of its key.
  init(_ result: RememberResult) {
    switch result {
    case .kept: self = .yes
    case .nameTaken: self = .nameTaken
    }
  }
}
