import BumpClaims
import BumpDiscovery
import BumpWire
import Foundation
import Samples
import Testing

@testable import BumpSession

/// The subtypes by which a receiver finds its sender alone.
@Suite struct SubtypeTests {
  /// Made by Tests/Support/Vectors/subtypes.py: a second implementation of Docs/protocol.md.
  struct Vector: Decodable, Sendable, CustomStringConvertible {
    let key, subtype: String
    let unixTime: Int64

    var description: String { "\(key.prefix(8)) at \(unixTime)" }

    static func all() throws -> [Vector] {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      return try JSONDecoder().decode(
        [Vector].self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/subtypes.json")))
    }
  }

  private let key: SharedKey
  private let other: SharedKey

  init() throws {
    key = try #require(SharedKey([UInt8](repeating: 7, count: 32)))
    other = try #require(SharedKey([UInt8](repeating: 8, count: 32)))
  }

  @Test(arguments: try Vector.all())
  func `the subtype of a key is the vector's`(vector: Vector) throws {
    let key = try #require(SharedKey(bytes(vector.key)))
    #expect(Credential.key(key).subtype(in: Hour(at: vector.unixTime))?.description == vector.subtype)
  }

  @Test func `a code has the subtype of its channel, whatever its digits, and mode open has none`() throws {
    for (code, subtype) in [("27-482915", "_c27"), ("27-000000", "_c27"), ("1-482915", "_c1"), ("99-482915", "_c99")] {
      let credential = Credential.code(try OneTimeCode(code))
      for hour in [Hour(at: 0), Hour(at: 1_795_298_400)] {
        #expect(credential.subtype(in: hour)?.description == subtype)
      }
    }
    #expect(Credential.none.subtype(in: Hour(at: 0)) == nil)
  }

  @Test func `a key has one subtype for an hour, and another in each hour and for each key`() {
    let hours = (0..<100).map { Hour(at: 1_795_298_400 + 3600 * $0) }
    let subtypes = [key, other].flatMap { key in hours.map { ServiceSubtype.ofKey(key, in: $0) } }
    #expect(Set(subtypes).count == 200)
    #expect(
      ServiceSubtype.ofKey(key, in: Hour(at: 1_795_298_400)) == .ofKey(key, in: Hour(at: 1_795_298_400 + 3599)))
  }

  @Test(arguments: [-3600, -3599, -1, 0, 1, 3599, 3600] as [Int64])
  func `clocks that differ by up to an hour have a subtype in common, at any time`(difference: Int64) {
    for second: Int64 in [0, 1, 1799, 3598, 3599] {
      let (receiver, sender) = (1_795_298_400 + second, 1_795_298_400 + second + difference)
      #expect(Hour(at: receiver).near.contains(Hour(at: sender)), "at \(second)")
    }
  }

  @Test func `an hour ends when the next begins`() {
    for time: Int64 in [0, 1, 3599, 3600, 1_795_298_399, 1_795_298_400] {
      let rest = Hour.rest(at: time).components.seconds
      #expect((1...3600).contains(rest))
      #expect(Hour(at: time + rest) != Hour(at: time) && Hour(at: time + rest - 1) == Hour(at: time))
    }
  }

  @Test func `of three hours in a row each has a place of its own`() {
    for time: Int64 in [0, 3600, 7200, 10_800, 1_795_298_400] {
      for place in 0..<Hour.nearCount { #expect(Hour(at: time).near.count { $0.isAt(place) } == 1) }
    }
  }

  /// A subtype names nobody: who knows neither key nor code gets only the channel out of it.
  @Test func `a subtype is a label of letters and digits`() throws {
    let subtypes = [ServiceSubtype.ofChannel(1), .ofChannel(99), .ofKey(key, in: Hour(at: 1_795_298_400))]
    for subtype in subtypes {
      #expect(try ServiceSubtype(String(subtype.description.dropFirst())) == subtype)
      #expect(subtype.description.utf8.count <= 18)
    }
  }
}
