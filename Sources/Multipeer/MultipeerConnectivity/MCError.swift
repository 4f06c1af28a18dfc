public import Foundation

/// The domain of `MCError`.
public let MCErrorDomain = "MCErrorDomain"

/// An error of Multipeer Connectivity.
///
/// Catch it as `MCError`: on Linux an `NSError` of this domain does not convert to one.
public struct MCError: CustomNSError, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: Int, Sendable {
    /// A failure that has no code of its own, such as a received file that cannot be written.
    case unknown = 0
    /// The peer is not connected.
    case notConnected
    /// No peer to send to, a message over 32 MiB, a name that is empty or over 63 bytes, or the local peer for
    /// `nearbyConnectionData`.
    case invalidParameter
    /// Something that this module does not do, such as sending a resource that is not a regular file, or an `http:` URL.
    case unsupported
    /// A time-out. Not thrown here: a program learns of one by the state `notConnected`.
    case timedOut
    /// The transfer was cancelled, at either end.
    case cancelled
    /// Multipeer Connectivity cannot be used, for example without a network.
    case unavailable
  }

  /// The kind of failure.
  public let code: Code
  private let texts: [String: String]

  /// Makes an error. Keeps only the strings of `userInfo`.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    texts = userInfo.compactMapValues { $0 as? String }
  }

  init(_ code: Code, _ description: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
  }

  /// The strings that describe the error.
  public var userInfo: [String: Any] { texts }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { texts }
  public static var errorDomain: String { MCErrorDomain }

  /// `Code.unknown`, for `catch MCError.unknown`.
  public static var unknown: Code { .unknown }
  /// `Code.notConnected`, for `catch MCError.notConnected`.
  public static var notConnected: Code { .notConnected }
  /// `Code.invalidParameter`, for `catch MCError.invalidParameter`.
  public static var invalidParameter: Code { .invalidParameter }
  /// `Code.unsupported`, for `catch MCError.unsupported`.
  public static var unsupported: Code { .unsupported }
  /// `Code.timedOut`, for `catch MCError.timedOut`.
  public static var timedOut: Code { .timedOut }
  /// `Code.cancelled`, for `catch MCError.cancelled`.
  public static var cancelled: Code { .cancelled }
  /// `Code.unavailable`, for `catch MCError.unavailable`.
  public static var unavailable: Code { .unavailable }
}

/// Lets `catch MCError.timedOut` match an error by its code.
public func ~= (code: MCError.Code, error: any Error) -> Bool { (error as? MCError)?.code == code }
