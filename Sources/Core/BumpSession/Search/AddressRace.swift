import BumpDiscovery

/// The addresses of one sender, tried one after another. The next one is tried while the one before may still answer,
/// so that an address that does not answer costs a quarter of a second (RFC 8305 §5). Pure.
struct AddressRace: Sendable {
  /// The known addresses: first those that were tried, then the others, the most likely first.
  private var endpoints: [Endpoint] = []
  private var likelihoods: [Endpoint: LocalNetworks.Likelihood] = [:]
  private var tried = 0
  private var nextTry = Moment.zero
  /// The connection attempts in progress.
  private(set) var connections: [ConnectionID: Endpoint] = [:]

  init(_ endpoints: [Endpoint] = []) {
    self.endpoints = endpoints
  }

  var isEmpty: Bool { endpoints.isEmpty }

  /// The address to show to a person: the first of those being tried, otherwise the most likely of those left.
  var shown: Endpoint? {
    connections.min { $0.key < $1.key }?.value ?? (hasMore ? endpoints[tried] : endpoints.first)
  }

  /// Whether an address is left that was not tried.
  var hasMore: Bool { tried < endpoints.count }

  var wereTried: Bool { tried > 0 }

  /// Whether no attempt is in progress and no address is left.
  var isLost: Bool { connections.isEmpty && !hasMore }

  /// When to try the next address; `nil` if there is none.
  var deadline: Moment? { hasMore ? nextTry : nil }

  /// Returns whether the address is new.
  func isNew(_ endpoint: Endpoint) -> Bool { !endpoints.contains(endpoint) }

  /// Adds an address, before the less likely ones that were not tried yet.
  mutating func add(_ endpoint: Endpoint, _ likelihood: LocalNetworks.Likelihood) {
    likelihoods[endpoint] = likelihood
    let place = endpoints[tried...].firstIndex { likelihoods[$0].map { $0 > likelihood } ?? false }
    endpoints.insert(endpoint, at: place ?? endpoints.endIndex)
  }

  /// Returns the next address to try, if it is due: at once if none is being tried, otherwise after `Times.stagger`.
  /// Call `started` next.
  func next(at now: Moment) -> Endpoint? {
    guard hasMore, connections.isEmpty || now >= nextTry else { return nil }
    return endpoints[tried]
  }

  /// Notes that the address returned by `next` is being tried.
  mutating func started(_ connection: ConnectionID, at now: Moment) {
    connections[connection] = endpoints[tried]
    tried += 1
    nextTry = now + Times.stagger
  }

  /// Notes that an attempt failed: the next address is due at once.
  mutating func failed(_ connection: ConnectionID, at now: Moment) {
    connections[connection] = nil
    nextTry = now
  }

  /// Notes that an attempt succeeded.
  mutating func succeeded(_ connection: ConnectionID) { connections[connection] = nil }

  /// Cancels the attempts in progress.
  ///
  /// - Returns: the cancelled attempts, in the order in which they began.
  mutating func cancel() -> [ConnectionID] {
    defer { connections = [:] }
    return connections.keys.sorted()
  }

  /// Starts again with the first address.
  mutating func restart() { tried = 0 }
}
