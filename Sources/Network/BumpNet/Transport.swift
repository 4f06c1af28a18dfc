public import BumpDiscovery
public import NIOCore

/// A way to carry bytes between two ends: TCP, or memory in tests.
public protocol Transport: Sendable {
  /// Listens for connections.
  ///
  /// - Parameter port: the port, or 0 for any free port.
  /// - Throws: `TransportError.cannotListen`.
  func listen(port: UInt16) async throws -> any Listener

  /// Connects. This may take minutes to fail: cancel the task to end it.
  ///
  /// - Throws: `TransportError.cannotConnect`.
  func connect(to endpoint: Endpoint) async throws -> any Connection

  /// Returns the networks on whose links a receiver connects to the senders that discovery finds. By default, those of
  /// the running system.
  func localNetworks() -> LocalNetworks
}

extension Transport {
  /// Returns the networks of this machine's interfaces.
  public func localNetworks() -> LocalNetworks { .current() }
}

/// A port that accepts connections.
public protocol Listener: Sendable {
  /// The port.
  var port: UInt16 { get }

  /// Passes each connection to `body` as it comes, until `close`.
  func accept(_ body: @escaping @Sendable (any Connection) async -> Void) async

  /// Accepts no more connections. Established connections stay open. A second call does nothing.
  func close()
}

/// A reliable, ordered connection in both directions.
public protocol Connection: Sendable {
  /// The other end's address, to show to a person.
  var peer: String { get }

  /// The other end's address; `nil` if the transport has no addresses. Peers without an address cannot be told apart.
  var address: SocketAddress? { get }

  /// The address of this end; `nil` if the transport has no addresses.
  var localAddress: SocketAddress? { get }

  /// Passes received bytes to `body`, and reads no more until it returns. Returns when either end has closed the
  /// connection. Call it once.
  func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async

  /// Sends bytes, in the order of the calls. If sending fails, `receive` returns.
  func send(_ bytes: [UInt8])

  /// Makes the operating system drop the connection if sent bytes are not acknowledged for this long, even after this
  /// end has closed it or its process has ended. Otherwise the system retries for minutes, and bytes that were given up
  /// long ago may arrive. A transport in memory does nothing.
  func giveUp(after limit: Duration)

  /// Closes the connection. Bytes passed to `send` are still sent if the operating system accepts them at once. A
  /// second call does nothing.
  func close()

  /// Closes the connection once the operating system has accepted all bytes passed to `send`. If the other end does not
  /// read, that may never happen: the caller sets a time limit and then calls `close`.
  func finish()
}

extension Connection {
  /// `nil`: for transports without addresses.
  public var address: SocketAddress? { nil }
  /// `nil`: for transports without addresses.
  public var localAddress: SocketAddress? { nil }
  /// Does nothing: for transports that never send bytes again, as in memory.
  public func giveUp(after limit: Duration) {}
  /// Calls `close`: for transports that accept all bytes at once.
  public func finish() { close() }
}

/// Why listening or connecting failed. Errors are equal if their codes are.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case cannotListen, cannotConnect, noSuchInterface }
    private let kind: Kind

    /// The port cannot be listened on.
    public static let cannotListen = Code(kind: .cannotListen)
    /// The other end cannot be connected to.
    public static let cannotConnect = Code(kind: .cannotConnect)
    /// There is no network interface of this name.
    public static let noSuchInterface = Code(kind: .noSuchInterface)
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if there is no remedy, or the reason says it.
  public let remedy: String?
  /// The error of the system.
  public let underlying: (any Error)?
  /// The system's error number (errno(3)); `nil` if the error did not come from the system.
  public let errorNumber: Int32?

  /// Makes an error.
  public init(
    _ code: Code, _ reason: String, remedy: String? = nil, underlying: (any Error)? = nil, errorNumber: Int32? = nil
  ) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
    self.underlying = underlying
    self.errorNumber = errorNumber
  }

  /// The reason, followed by the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
