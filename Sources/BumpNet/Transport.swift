public import BumpDiscovery
public import NIOCore

/// Carries bytes between two ends: TCP, or its twin in memory.
public protocol Transport: Sendable {
  /// Waits for connections.
  ///
  /// - Parameter port: the port, or 0 for one that is free.
  /// - Throws: `TransportError.cannotListen`.
  func listen(port: UInt16) async throws -> any Listener

  /// Connects. It may hang for minutes: cancel it.
  ///
  /// - Throws: `TransportError.cannotConnect`.
  func connect(to endpoint: Endpoint) async throws -> any Connection

  /// Returns the networks on whose links a receiver connects to senders that discovery finds. By default those of the
  /// running system.
  func localNetworks() -> LocalNetworks
}

extension Transport {
  public func localNetworks() -> LocalNetworks { .current() }
}

/// A port that takes connections.
public protocol Listener: Sendable {
  var port: UInt16 { get }

  /// Hands over each connection as it comes, until `close`.
  func accept(_ body: @escaping @Sendable (any Connection) async -> Void) async

  /// Takes no more connections. Those that stand are not touched. Once is enough; again does nothing.
  func close()
}

/// Bytes both ways, reliable and in order.
public protocol Connection: Sendable {
  /// The other end's address, for a person.
  var peer: String { get }

  /// The same for a program, where the transport has addresses. A peer without one is not told from another.
  var address: SocketAddress? { get }

  /// The address of this end, where the transport has addresses.
  var localAddress: SocketAddress? { get }

  /// Hands over what comes in, piece by piece, and reads no more until `body` returns.
  /// Returns when the other end has closed, or this one has. To be called once.
  func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async

  /// Sends, in the order of the calls. What cannot be sent shows as the end of `receive`.
  func send(_ bytes: [UInt8])

  /// Has the operating system drop the connection where what was sent is not acknowledged for so long: also once this end
  /// has closed it, or its process has ended. Else it goes on sending for minutes, and what was given up long ago arrives.
  /// A transport in memory has no such thing, and does nothing.
  func giveUp(after limit: Duration)

  /// Closes once all that was given to `send` is with the operating system, where that is at once. Again does nothing.
  func close()

  /// Closes once the other end has taken so much that all that was given to `send` is with the operating system. It may
  /// never: the caller limits the time, and calls `close`.
  func finish()
}

extension Connection {
  public var address: SocketAddress? { nil }
  public var localAddress: SocketAddress? { nil }
  public func giveUp(after limit: Duration) {}
  public func finish() { close() }
}

/// Why there is no connection. Errors are equal if their codes are.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case cannotListen, cannotConnect, noSuchInterface }
    private let kind: Kind

    public static let cannotListen = Code(kind: .cannotListen)
    public static let cannotConnect = Code(kind: .cannotConnect)
    public static let noSuchInterface = Code(kind: .noSuchInterface)
  }

  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, a sentence; `nil` where the reason says it, or nothing helps.
  public let remedy: String?
  /// What the system said.
  public let underlying: (any Error)?
  /// The system's error number (errno(3)), where it was the system that said no.
  public let errorNumber: Int32?

  public init(
    _ code: Code, _ reason: String, remedy: String? = nil, underlying: (any Error)? = nil, errorNumber: Int32? = nil
  ) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
    self.underlying = underlying
    self.errorNumber = errorNumber
  }

  /// The reason, and the remedy as a sentence of its own.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
