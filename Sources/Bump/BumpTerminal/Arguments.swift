import ArgumentParser
import BumpClaims
package import BumpNet

/// Parses arguments into valid values, or throws an error that says what to write instead.
package enum Arguments {
  package static func interface(_ text: String) throws -> NetworkInterface {
    do {
      return try NetworkInterface(text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  package static func linkBase(_ text: String) throws -> String {
    do {
      try ClaimLink.check(base: text)
      return text
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Parses a port: 1 to 65535, or 0 for any free one.
  package static func port(_ text: String) throws -> UInt16 {
    guard text.allSatisfy(\.isASCII), let port = UInt16(text) else {
      throw ValidationError("a port is a number from 1 to 65535, or 0 for one that is free")
    }
    return port
  }

  /// Parses a port: 1 to 65535.
  package static func fixedPort(_ text: String) throws -> UInt16 {
    guard let port = try? port(text), port > 0 else {
      throw ValidationError("a port is a number from 1 to 65535")
    }
    return port
  }
}
