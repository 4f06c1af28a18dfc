/// Finds the experience that takes a URL. A pure function of the URL's text: it repairs nothing, and fetches nothing.
///
/// It reads the text itself. Foundation's `URL` keeps user names and ports apart from the host, collapses `//`, and
/// maps some characters outside ASCII to others.
public struct Router: Sendable {
  /// The greatest length of a URL in bytes.
  public static let limit = 2048

  private struct Host {
    let name: [UInt8]
    var places: [Place]
  }

  private var hosts: [Host] = []

  init(_ products: [Product]) {
    for product in products {
      for experience in product.experiences {
        for name in experience.hosts {
          let places = experience.paths.map { Place(host: name, path: $0, experience, product) }
          if let index = hosts.firstIndex(where: { $0.name.elementsEqual(name.utf8) }) {
            hosts[index].places += places
          } else {
            hosts.append(Host(name: Array(name.utf8), places: places))
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
          guard let place = hosts[host].places.first(where: { $0.takes(path) }) else { throw .path }
          do throws(CaptureRule.Refusal) {
            try place.check(path)
            return .match(Match(place: place, url: SecretLink(text: url)))
          } catch {
            return .broken(place.experience, of: place.product, error.reason)
          }
        }
      } catch {
        return .none(error)
      }
    }
  }
}
