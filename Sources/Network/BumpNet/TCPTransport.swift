public import BumpDiscovery
import BumpSystem
import Glibc
import NIOConcurrencyHelpers
public import NIOCore
public import NIOPosix

/// TCP, over IPv6 and IPv4.
public struct TCPTransport: Transport {
  private let group: any EventLoopGroup
  private let interface: NetworkInterface?

  /// Makes a transport. It opens no socket before `listen` or `connect`.
  ///
  /// - Parameters:
  ///   - interface: the only network interface to use for connections; `nil` for any.
  ///   - group: the event loops to run on.
  public init(interface: NetworkInterface? = nil, group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup) {
    self.group = group
    self.interface = interface
  }

  /// Listens on `::`, for IPv6 and IPv4; on `0.0.0.0` where that fails, as on a kernel without IPv6.
  public func listen(port: UInt16) async throws -> any Listener {
    do {
      return try await bind("::", port)
    } catch {
      // The kernel may lack IPv6.
      do {
        return try await bind("0.0.0.0", port)
      } catch {
        throw TransportError(
          .cannotListen, "cannot listen on port \(port): \(Self.reason(error))", remedy: "Choose another port",
          underlying: error, errorNumber: Self.errorNumber(error))
      }
    }
  }

  private func bind(_ host: String, _ port: UInt16) async throws -> TCPListener {
    let (connections, queue) = AsyncStream.makeStream(
      of: TCPConnection.self, bufferingPolicy: .bufferingOldest(TCPListener.maximumQueue))
    let waiting = WaitingChannels()
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try restrict(channel) } }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.recvAllocator, value: TCPConnection.allocator)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let connection = try TCPConnection(channel)
          guard waiting.add(channel) else { return channel.close(promise: nil) }
          guard case .enqueued = queue.yield(connection) else {
            waiting.remove(channel)
            return channel.close(promise: nil)
          }
        }
      }
      .bind(host: host, port: Int(port)).get()
    channel.closeFuture.whenComplete { _ in queue.finish() }
    return TCPListener(channel: channel, connections: connections, waiting: waiting)
  }

  public func connect(to endpoint: Endpoint) async throws -> any Connection {
    // `nil` once the task is cancelled. NIO ignores the cancellation, but notices that the socket is closed.
    let attempts = NIOLockedValueBox<[any Channel]?>([])
    let bootstrap = ClientBootstrap(group: group)
      .channelOption(.autoRead, value: false)
      .channelOption(.recvAllocator, value: TCPConnection.allocator)
      .channelInitializer { channel in
        guard attempts.withLockedValue({ $0?.append(channel) }) != nil else {
          return channel.eventLoop.makeFailedFuture(CancellationError())
        }
        return channel.eventLoop.makeCompletedFuture { try restrict(channel) }
      }
    do {
      return try await withTaskCancellationHandler {
        let connecting =
          switch endpoint {
          case .address(let address): bootstrap.connect(to: address)
          case .host(let host, let port): bootstrap.connect(host: host, port: Int(port))
          }
        return try await connecting.flatMapThrowing { try TCPConnection($0) }.get()
      } onCancel: {
        let channels = attempts.withLockedValue { channels in
          defer { channels = nil }
          return channels ?? []
        }
        for channel in channels { channel.close(promise: nil) }
      }
    } catch {
      throw TransportError(
        .cannotConnect, "cannot connect to \(endpoint): \(Self.reason(error))", underlying: error,
        errorNumber: Self.errorNumber(error))
    }
  }

  /// Binds the socket to the interface (SO_BINDTODEVICE of socket(7), which needs no privilege since Linux 5.7).
  private func restrict(_ channel: any Channel) throws {
    guard let interface, let options = channel as? any SocketOptionProvider else { return }
    // The option takes the name in a field of IFNAMSIZ (16) bytes, with a zero at the end.
    var field = (UInt64(0), UInt64(0))
    withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: interface.name.utf8.prefix(15)) }
    let done = options.unsafeSetSocketOption(level: .socket, name: .init(rawValue: SO_BINDTODEVICE), value: field)
    done.whenFailure { _ in channel.close(promise: nil) }
  }

  /// Returns the error number; that of the last address tried if a name has several.
  private static func errorNumber(_ error: any Error) -> Int32? {
    switch error {
    case let error as IOError: error.errnoCode
    case let error as NIOConnectionError: error.connectionErrors.last.flatMap { errorNumber($0.error) }
    default: nil
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: words(errno: error.errnoCode)
    case is NIOCore.ChannelError: "no answer"
    case is NIOConnectionError: "no such host, or it refuses"
    default: "\(type(of: error))"
    }
  }
}
