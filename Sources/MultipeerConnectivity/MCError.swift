public import Foundation

/// The domain of `MCError`.
public let MCErrorDomain = "MCErrorDomain"

/// An error of Multipeer Connectivity.
///
/// Catch it as `MCError`: on Linux an `NSError` of this domain does not convert to one.
public struct MCError: CustomNSError, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: Int, Sendable {
    case unknown = 0
    /// The peer is not connected.
    case notConnected
    case invalidParameter
    /// For example a resource that is not a regular file, or has another URL than a file's.
    case unsupported
    case timedOut
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

  public static var unknown: Code { .unknown }
  public static var notConnected: Code { .notConnected }
  public static var invalidParameter: Code { .invalidParameter }
  public static var unsupported: Code { .unsupported }
  public static var timedOut: Code { .timedOut }
  public static var cancelled: Code { .cancelled }
  public static var unavailable: Code { .unavailable }
}

/// Lets `catch MCError.timedOut` match an error by its code.
public func ~= (code: MCError.Code, error: any Error) -> Bool { (error as? MCError)?.code == code }
