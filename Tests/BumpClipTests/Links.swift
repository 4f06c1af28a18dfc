import BumpClip
import Testing

/// URLs of the five products, with values of published vectors.
enum Links {
  /// Of NIP-19.
  static let npub = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
  static let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"

  static let claim = "https://irl.app/claim/abc-_1"
  static let driver = "https://roadflare.app/share/d/\(npub)"
  static let pack = "https://bsky.app/start/alice.example/3kabc"
  static let short = "https://go.bsky.app/AbC1"
  static let message = "https://orbiting.app/clip?text=hello&theme=mono"
  static let card = "https://yourapp.com/appclip/shared/0a1b2c3d-0000-4000-8000-00000000abcd"

  static func match(
    _ url: String, in experiences: Experiences = .builtIn, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Match {
    let route = experiences.router.route(url)
    guard case .match(let match) = route else {
      try #require(Bool(false), "\(route)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    return match
  }
}
