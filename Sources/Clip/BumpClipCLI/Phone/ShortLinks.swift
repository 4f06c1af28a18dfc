import BumpClip
import BumpHTTP
import BumpTerminal
import Synchronization

/// Asks the hosts of short links for the links that they stand for.
struct ShortLinks {
  /// A file of certificates in PEM to trust in place of the system's; `nil` for the system's.
  let roots: String?

  /// The time limit for one answer.
  private static let limit: Duration = .seconds(5)
  /// The limit on an answer, in bytes. Its contents do not matter, but libcurl reports a redirect's target only after
  /// them.
  private static let maximumCount = 65_536

  /// Returns the link that a short link stands for.
  ///
  /// - Throws: `CommandError`.
  func resolve(_ resolution: LinkResolution, from link: String) async throws -> String {
    var (resolution, link) = (resolution, link)
    while true {
      let count = Atomic(0)
      let answer = await HTTPRequest(
        url: link, accept: "text/html", roots: roots, connectLimit: Self.limit, limit: Self.limit
      ).perform { _, _, bytes in
        count.add(bytes.count, ordering: .relaxed).newValue <= Self.maximumCount
      }
      guard answer.end == .answered || answer.end == .stopped else {
        throw CommandError(
          .failure, "the short link's host was not reached: \(answer.failure.reason)", remedy: "Try again")
      }
      switch resolution.answered(status: answer.status, location: answer.redirect) {
      case .ask(let next): link = next
      case .resolved(let resolved, _): return resolved
      case .failed(let failure):
        throw CommandError(
          .failure, "the short link \(words(failure, of: resolution.product))", remedy: "Ask for a new one")
      }
    }
  }

  private func words(_ failure: LinkResolution.Failure, of product: Product) -> String {
    switch failure {
    case .noRedirect: "leads nowhere"
    case .elsewhere: "leads to no link of \(product.name), and was not followed"
    case .tooLong: "redirects more than \(LinkResolution.limit) times"
    }
  }
}
