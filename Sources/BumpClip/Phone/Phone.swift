import BumpClaims
import BumpFiles

/// A phone as App Clips see it, in a directory: which of a product's App Clip and app are there, its App Groups, and what each
/// app keeps of its own.
///
/// Each product is held by one process at a time. After a crash each step is made again without a second effect.
public struct Phone: Sendable {
  /// What a test sees of the steps in between.
  package enum Step: String, Sendable {
    case valueRead, valueStored, valueDeleted
    case messagesRead, messagesStored, storeDeleted
    case groupEmptied
  }

  let directory: String
  let now: @Sendable () -> Int64
  let random: @Sendable (_ count: Int) -> [UInt8]
  let passed: @Sendable (Step) -> Void

  /// - Parameters:
  ///   - directory: `$XDG_DATA_HOME/bump`. What is made in it has mode 0700.
  ///   - now: returns the seconds since 1970.
  ///   - random: draws bytes.
  public init(
    at directory: String, now: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable (_ count: Int) -> [UInt8] = Phone.systemRandom
  ) {
    self.init(at: directory, now: now, random: random, passed: { _ in })
  }

  package init(
    at directory: String, now: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable (_ count: Int) -> [UInt8] = Phone.systemRandom,
    passed: @escaping @Sendable (Step) -> Void
  ) {
    (self.directory, self.now, self.random, self.passed) = (directory, now, random, passed)
  }

  /// What a URL opens.
  public enum Opening: String, Sendable {
    /// The App Clip. `bump clip` shows its preview.
    case clip
    /// The app: it takes every URL once it is installed.
    case app
    /// A browser: neither is there to take the URL.
    case browser
  }

  /// Opens a URL that an experience takes.
  public func open(_ match: Match) throws(PhoneError) -> Opening {
    try open(match.product, match.experience, match.captured)
  }

  /// Opens a URL whose captured value is not valid: the App Clip starts, and says so.
  public func open(broken experience: Experience, of product: Product) throws(PhoneError) -> Opening {
    try open(product, experience, [:])
  }

  private func open(
    _ product: Product, _ experience: Experience, _ captured: [String: String]
  ) throws(PhoneError) -> Opening {
    let lock = try lock(product)
    defer { _ = lock }
    if try standing(of: product).state == .app { return .app }
    guard experience.opens == .clip else { return .browser }
    try Standing(state: .clip, experience: captured.isEmpty ? nil : experience.id, captured: captured)
      .write(standingFile(of: product))
    return .clip
  }

  /// Has the system remove the App Clip after a time without use, and all that is in its App Group.
  ///
  /// - Returns: whether there was an App Clip.
  /// - Throws: `PhoneError.state` where the app is installed: its App Group is its own.
  public func evict(_ product: Product) throws(PhoneError) -> Bool {
    let lock = try lock(product)
    defer { _ = lock }
    switch try standing(of: product).state {
    case .nothing: return false
    case .app: throw PhoneError(.state, "\(product.name) is installed, and its App Clip is gone already")
    case .clip:
      try group(of: product)?.empty()
      passed(.groupEmptied)
      try Standing.nothing.write(standingFile(of: product))
      return true
    }
  }

  /// Installs the app, which keeps the App Group and removes the App Clip.
  ///
  /// - Returns: whether it was not there before.
  public func install(_ product: Product) throws(PhoneError) -> Bool {
    let lock = try lock(product)
    defer { _ = lock }
    guard try standing(of: product).state != .app else { return false }
    try Standing(state: .app, experience: nil, captured: [:]).write(standingFile(of: product))
    return true
  }

  /// Returns where a product is.
  public func standing(of product: Product) throws(PhoneError) -> Standing {
    try Standing.read(standingFile(of: product))
  }

  func lock(_ product: Product) throws(PhoneError) -> ProductLock {
    try ProductLock("\(folder(of: product))/lock")
  }

  func group(of product: Product) -> GroupContainer? {
    product.group.map { GroupContainer(path: "\(directory)/groups/\($0)") }
  }

  /// The app's own database.
  func database(of product: Product) -> String { "\(folder(of: product))/app.store" }

  private func folder(of product: Product) -> String { "\(directory)/clips/\(product.id)" }
  private func standingFile(of product: Product) -> String { "\(folder(of: product))/state.json" }

  /// The operating system's generator.
  @Sendable public static func systemRandom(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return generator.bytes(count)
  }
}
