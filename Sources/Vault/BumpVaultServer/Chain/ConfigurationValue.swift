#if Vault
  import BumpChain
  import BumpClaims
  import BumpVaultAPI
  import BumpWallet

  /// Reads the values of a configuration's members. The second parameter is the value's place, for messages.
  enum ConfigurationValue {
    static func text(_ value: JSONValue, _ place: String) throws -> String {
      guard case .string(let text) = value else { throw ConfigurationMistake(place, "is not a string") }
      return text
    }

    /// Returns a reader of whole numbers in a range.
    static func number(in range: ClosedRange<Int64>) -> (JSONValue, String) throws -> Int64 {
      { value, place in
        guard case .integer(let number) = value, range.contains(number) else {
          let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
          throw ConfigurationMistake(place, "is not a whole number from \(range.lowerBound)\(most)")
        }
        return number
      }
    }

    /// Returns a reader of lists. Each element's place ends in its index.
    static func list<Element>(
      _ read: @escaping (JSONValue, String) throws -> Element
    ) -> (JSONValue, String) throws -> [Element] {
      { value, place in
        guard case .array(let values) = value else { throw ConfigurationMistake(place, "is not a list") }
        return try values.enumerated().map { try read($0.element, "\(place)[\($0.offset)]") }
      }
    }

    static func address(_ value: JSONValue, _ place: String) throws -> Address {
      let text = try text(value, place)
      do {
        return try Address(text)
      } catch {
        throw ConfigurationMistake(place, "is not an address: \(error.reason)")
      }
    }

    static func hash(_ value: JSONValue, _ place: String) throws -> Bytes32 {
      guard let hash = try? Bytes32(text(value, place)) else {
        throw ConfigurationMistake(place, "is not 0x and 64 hex digits")
      }
      return hash
    }

    /// An amount of the chain's own coin, in wei.
    static func coins(_ value: JSONValue, _ place: String) throws -> UInt128 {
      guard let wei = try CoinAmount.wei(text(value, place)) else {
        throw ConfigurationMistake(place, "is not an amount such as \"0.01 ether\", \"2 gwei\" or \"5000 wei\"")
      }
      return wei
    }

    /// The price of a gas, in wei.
    static func price(_ value: JSONValue, _ place: String) throws -> UInt64 {
      guard let price = UInt64(exactly: try coins(value, place)), price > 0 else {
        throw ConfigurationMistake(place, "is not a price of one unit of gas such as \"0.5 gwei\"")
      }
      return price
    }

    static func amount(_ value: JSONValue, _ place: String) throws -> Amount {
      guard let amount = try? Amount(text(value, place)) else {
        throw ConfigurationMistake(place, "is not an amount of a token such as \"100.00\"")
      }
      return amount
    }

    /// A time in UTC, as seconds since 1970.
    static func time(_ value: JSONValue, _ place: String) throws -> Int64 {
      guard let time = try ClockCommand.time(text(value, place)) else {
        throw ConfigurationMistake(place, "is not a time in UTC such as \"2026-01-31T12:00Z\"")
      }
      return time
    }

    /// Returns a reader of one of some names.
    static func name<Name: RawRepresentable<String> & CaseIterable>(
      of: Name.Type
    ) -> (JSONValue, String) throws -> Name {
      { value, place in
        guard let name = Name(rawValue: try text(value, place)) else {
          let names = Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
          throw ConfigurationMistake(place, "is none of \(names)")
        }
        return name
      }
    }
  }
#endif
