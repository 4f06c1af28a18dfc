/// The products whose links are known, and the router for their URLs.
public struct Experiences: Sendable {
  /// The products, by their ids.
  public let products: [Product]
  /// Routes a URL.
  public let router: Router

  /// The five products that come with this package.
  public static let builtIn: Experiences = {
    do throws(ExperienceError) {
      return try Experiences([])
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// Reads products from files, and adds the five products. A file for one of the five replaces that product.
  ///
  /// - Parameter files: the names and contents of files.
  /// - Throws: `ExperienceError` for the first file that cannot be used.
  public init(_ files: [(name: String, content: [UInt8])]) throws(ExperienceError) {
    var products: [String: Product] = [:]
    var places: [String: String] = [:]
    for (name, content) in files.sorted(by: { $0.name < $1.name }) {
      let product = try Self.read(name, content)
      if let other = places[product.id] { throw Self.failure(name, "the product \(product.id) is in \(other) too") }
      (products[product.id], places[product.id]) = (product, name)
    }
    for (name, content) in Self.files {
      let product = try Self.read(name, content)
      if products[product.id] == nil { products[product.id] = product }
    }
    self.products = products.values.sorted { $0.id < $1.id }
    router = Router(self.products)
    try Self.check(self.products, places)
  }

  private static let files: [(name: String, content: [UInt8])] = [
    ("bluesky.json", PackageResources.bluesky_json), ("businesscard.json", PackageResources.businesscard_json),
    ("irl.json", PackageResources.irl_json), ("orbiting.json", PackageResources.orbiting_json),
    ("roadflare.json", PackageResources.roadflare_json),
  ]

  private static func read(_ name: String, _ content: [UInt8]) throws(ExperienceError) -> Product {
    do throws(ExperienceError) {
      return try ProductFile.read(content)
    } catch {
      var error = error
      error.file = name
      throw error
    }
  }

  private static func failure(_ file: String, _ reason: String) -> ExperienceError {
    var error = ExperienceError(line: 1, reason)
    error.file = file
    return error
  }

  /// Rejects what two products or experiences both claim: an experience's id, a group, a URL.
  private static func check(_ products: [Product], _ places: [String: String]) throws(ExperienceError) {
    var (ids, groups): ([String: String], [String: String]) = ([:], [:])
    var patterns: [(host: String, path: PathPattern, id: String)] = []
    // The five come first, so that an error names the other product's file.
    for product in products.filter({ places[$0.id] == nil }) + products.filter({ places[$0.id] != nil }) {
      let file = places[product.id] ?? product.id
      if let group = product.group {
        if let other = groups[group] { throw failure(file, "the group \(group) is \(other)'s too") }
        groups[group] = product.id
      }
      for experience in product.experiences {
        if let other = ids[experience.id] { throw failure(file, "the experience \(experience.id) is \(other)'s too") }
        ids[experience.id] = product.id
        for host in experience.hosts {
          for path in experience.paths {
            if let other = patterns.first(where: { $0.host == host && $0.path.overlaps(path) }) {
              throw failure(file, "a URL on \(host) could be for \(other.id) and for \(experience.id)")
            }
            patterns.append((host, path, experience.id))
          }
        }
      }
    }
  }

  /// Returns the product with an id, or the product that has an experience with that id.
  public func product(_ id: String) -> Product? {
    products.first { $0.id == id } ?? products.first { $0.experiences.contains { $0.id == id } }
  }
}

extension PathPattern {
  /// Returns whether some path matches both patterns.
  func overlaps(_ other: PathPattern) -> Bool {
    segments.count == other.segments.count
      && zip(segments, other.segments).allSatisfy { one, other in
        if case .word(let word) = one, case .word(let other) = other { word == other } else { true }
      }
  }
}
