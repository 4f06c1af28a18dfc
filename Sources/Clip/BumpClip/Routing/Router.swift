/// Finds the experience that takes a URL. A pure function of the URL's text: it repairs nothing, and fetches nothing.
///
/// It reads the text itself. Foundation's `URL` keeps user names and ports apart from the host, collapses `//`, and
/// maps some characters outside ASCII to others.
public struct Router: Sendable {
  /// The greatest length of a URL in bytes.
  public static let limit = 2048

  private struct Host {
    let name: [UInt8]
    var entries: [RouteEntry]
  }

  private var hosts: [Host] = []

  init(_ products: [Product]) {
    for product in products {
      for experience in product.experiences {
        for name in experience.hosts {
          let entries = experience.paths.map { RouteEntry(host: name, path: $0, experience, product) }
          if let index = hosts.firstIndex(where: { $0.name.elementsEqual(name.utf8) }) {
            hosts[index].entries += entries
          } else {
            hosts.append(Host(name: Array(name.utf8), entries: entries))
          }
        }
      }
    }
  }

  /// Routes a URL.
  public func route(_ url: String) -> Route {
    var text = url
    return text.withUTF8 { bytes in
      do throws(Route.Mismatch) {
        let parts = try URLParts(bytes)
        guard let host = hosts.firstIndex(where: { parts.isHost($0.name) }) else { throw .host }
        return try URLPath.with(parts.path) { path throws(Route.Mismatch) in
          guard let entry = hosts[host].entries.first(where: { $0.takes(path) }) else { throw .path }
          do throws(CaptureRule.Refusal) {
            try entry.check(path)
            return .match(Match(entry: entry, url: SecretLink(text: url)))
          } catch {
            return .broken(entry.experience, of: entry.product, error.reason)
          }
        }
      } catch {
        return .none(error)
      }
    }
  }
}
