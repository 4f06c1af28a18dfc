public import BumpText
public import BumpWallet
import Crypto

/// The id of a passkey (WebAuthn §4), or one that the page has drawn.
public struct CredentialID: Hashable, Sendable {
  public let bytes: [UInt8]

  /// Returns `nil` unless there are 16 to 1023 bytes (WebAuthn §5.1). A shorter one could be guessed.
  public init?(_ bytes: [UInt8]) {
    guard (16...1023).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }
}

/// The id of a device: the SHA-256 of its credential's id.
public struct DeviceID: Hashable, Sendable {
  public let value: Bytes32

  public init(_ credential: CredentialID) {
    guard let value = Bytes32(Array(SHA256.hash(data: credential.bytes))) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    self.value = value
  }

  public init(_ value: Bytes32) { self.value = value }
}

/// A wallet's key in a form that this server cannot read: AES-256-GCM with a nonce of 12 bytes and a tag of 16, under a key
/// that never leaves a device, or that a recovery code makes.
public struct WrappedKey: Hashable, Sendable, Redacted {
  public let bytes: [UInt8]

  /// Returns `nil` unless there are 60 bytes: a bare key of 32 is never taken.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 60 else { return nil }
    self.bytes = bytes
  }
}

/// The name of a device.
public struct DeviceName: Hashable, Sendable {
  public let text: String

  /// Returns `nil` for a name that is blank, has more than 64 bytes, or has characters that are not shown as they are.
  public init?(_ text: String) {
    guard text.utf8.count <= 64, !VisibleText.isBlank(text), VisibleText.isPlain(text) else { return nil }
    self.text = text
  }
}
