import BumpClaims
import BumpSystem

/// A simulated phone, as far as App Clips are concerned, in a directory: for each product, whether its App Clip or app
/// is there, its App Group, and the app's own data.
///
/// Only one process at a time works on a product. After a crash, each step can be repeated without a second effect.
public struct Phone: Sendable {
  /// The steps that a test can observe.
  package enum Step: String, Sendable {
    case valueRead, valueStored, valueDeleted
    case messagesRead, messagesStored, storeDeleted
    case groupEmptied
  }

  let directory: String
  let now: @Sendable () -> Int64
  let random: @Sendable (_ count: Int) -> [UInt8]
  let passed: @Sendable (Step) -> Void

  /// Makes a phone.
  ///
  /// - Parameters:
  ///   - directory: `$XDG_DATA_HOME/bump`. Directories that are made in it have mode 0700.
  ///   - now: returns the seconds since 1970.
  ///   - random: returns random bytes.
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
  public enum Destination: String, Sendable {
    /// The App Clip. `bump-clip` shows its preview.
    case clip
    /// The app. Once it is installed, it takes every URL.
    case app
    /// A browser: there is neither an App Clip nor the app to take the URL.
    case browser
  }

  /// Opens a URL that an experience takes.
  public func open(_ match: Match) throws(PhoneError) -> Destination {
    try open(match.product, match.experience, match.captured, isValid: true)
  }

  /// Opens a URL with a captured value that is not valid. The App Clip starts nevertheless, and says so.
  public func open(broken experience: Experience, of product: Product) throws(PhoneError) -> Destination {
    try open(product, experience, [:], isValid: false)
  }

  private func open(
    _ product: Product, _ experience: Experience, _ captured: [String: String], isValid: Bool
  ) throws(PhoneError) -> Destination {
    let lock = try lock(product)
    defer { _ = lock }
    if try installation(of: product).state == .app { return .app }
    guard experience.opens == .clip else { return .browser }
    try Installation(state: .clip, experience: isValid ? experience.id : nil, captured: captured)
      .write(installationFile(of: product))
    return .clip
  }

  /// Removes the App Clip and everything in its App Group, as the system does after a time without use.
  ///
  /// - Returns: whether there was an App Clip.
  /// - Throws: `PhoneError.state` if the app is installed: the App Group is then the app's.
  public func evict(_ product: Product) throws(PhoneError) -> Bool {
    let lock = try lock(product)
    defer { _ = lock }
    switch try installation(of: product).state {
    case .nothing: return false
    case .app: throw PhoneError(.state, "\(product.name) is installed, and its App Clip is gone already")
    case .clip:
      try group(of: product)?.empty()
      passed(.groupEmptied)
      try Installation.nothing.write(installationFile(of: product))
      return true
    }
  }

  /// Installs the app, which keeps the App Group and removes the App Clip.
  ///
  /// - Returns: whether the app was not installed before.
  public func install(_ product: Product) throws(PhoneError) -> Bool {
    let lock = try lock(product)
    defer { _ = lock }
    guard try installation(of: product).state != .app else { return false }
    try Installation(state: .app, experience: nil, captured: [:]).write(installationFile(of: product))
    return true
  }

  /// Returns the state of a product.
  public func installation(of product: Product) throws(PhoneError) -> Installation {
    try Installation.read(installationFile(of: product))
  }

  func lock(_ product: Product) throws(PhoneError) -> ProductLock {
    try ProductLock("\(folder(of: product))/lock")
  }

  func group(of product: Product) -> GroupContainer? {
    product.group.map { GroupContainer(path: "\(directory)/groups/\($0)") }
  }

  /// Returns the path of the app's own database.
  func database(of product: Product) -> String { "\(folder(of: product))/app.store" }

  private func folder(of product: Product) -> String { "\(directory)/clips/\(product.id)" }
  private func installationFile(of product: Product) -> String { "\(folder(of: product))/state.json" }

  /// Returns random bytes from the operating system's generator.
  @Sendable public static func systemRandom(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return generator.bytes(count)
  }
}
