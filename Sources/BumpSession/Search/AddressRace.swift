import BumpDiscovery

/// The addresses of one sender, tried one after another, the next while the one before may still answer: one that hangs
/// costs a quarter of a second (RFC 8305 §5). Pure.
struct AddressRace: Sendable {
  /// Addresses that are known: first those that were tried, then the others, the likeliest first.
  private var endpoints: [Endpoint] = []
  private var likelihoods: [Endpoint: LocalNetworks.Likelihood] = [:]
  private var tried = 0
  private var nextTry = Moment.zero
  /// The tries that go on.
  private(set) var connections: [ConnectionID: Endpoint] = [:]

  init(_ endpoints: [Endpoint] = []) {
    self.endpoints = endpoints
  }

  var isEmpty: Bool { endpoints.isEmpty }

  /// The address to name to a person: of those being tried the first, else the likeliest that is left.
  var shown: Endpoint? {
    connections.min { $0.key < $1.key }?.value ?? (hasMore ? endpoints[tried] : endpoints.first)
  }

  /// Whether there is an address that was not tried yet.
  var hasMore: Bool { tried < endpoints.count }

  var wereTried: Bool { tried > 0 }

  /// Whether nothing goes on, and there is nothing more to try.
  var isLost: Bool { connections.isEmpty && !hasMore }

  /// When the next address is to be tried; `nil` where there is none.
  var deadline: Moment? { hasMore ? nextTry : nil }

  /// - Returns: whether the address is new.
  func isNew(_ endpoint: Endpoint) -> Bool { !endpoints.contains(endpoint) }

  /// Adds an address, before those that are less likely and were not tried yet.
  mutating func add(_ endpoint: Endpoint, _ likelihood: LocalNetworks.Likelihood) {
    likelihoods[endpoint] = likelihood
    let place = endpoints[tried...].firstIndex { likelihoods[$0].map { $0 > likelihood } ?? false }
    endpoints.insert(endpoint, at: place ?? endpoints.endIndex)
  }

  /// Takes the next address: at once where none is being tried, staggered otherwise. `started` is to follow.
  func next(at now: Moment) -> Endpoint? {
    guard hasMore, connections.isEmpty || now >= nextTry else { return nil }
    return endpoints[tried]
  }

  /// The address that `next` named is being tried.
  mutating func started(_ connection: ConnectionID, at now: Moment) {
    connections[connection] = endpoints[tried]
    tried += 1
    nextTry = now + Times.stagger
  }

  /// A try has failed: the next address need not wait.
  mutating func failed(_ connection: ConnectionID, at now: Moment) {
    connections[connection] = nil
    nextTry = now
  }

  /// A try has come to a connection.
  mutating func succeeded(_ connection: ConnectionID) { connections[connection] = nil }

  /// Gives up the tries that go on.
  ///
  /// - Returns: them, in the order in which they began.
  mutating func cancel() -> [ConnectionID] {
    defer { connections = [:] }
    return connections.keys.sorted()
  }

  /// Begins again with the first address.
  mutating func restart() { tried = 0 }
}
