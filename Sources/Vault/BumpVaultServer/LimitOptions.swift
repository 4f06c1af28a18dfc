#if Vault
  import ArgumentParser
  import BumpClaims
  import BumpVault

  /// The options for the limits of an embedded vault. One on a chain has them in its configuration.
  struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The most that one claim may hold, by default 100.00.", valueName: "amount"))
    var cap: String?

    @Option(help: ArgumentHelp("Claims of one sender that are pending at once, by default 20.", valueName: "number"))
    var pending: Int64?

    @Option(help: ArgumentHelp("Deposits of one sender in a day, by default 100.", valueName: "number"))
    var depositsPerDay: Int64?

    @Option(
      help: ArgumentHelp("How many seconds a claim without a deposit is kept, by default 600.", valueName: "number"))
    var draftSeconds: Int64?

    @Option(
      help: ArgumentHelp(
        "The most seconds from now to a claim's expiry, by default 2592000, which is 30 days.", valueName: "number"))
    var expirySeconds: Int64?

    /// Whether one of the options is given.
    var areGiven: Bool {
      cap != nil || [pending, depositsPerDay, draftSeconds, expirySeconds].contains { $0 != nil }
    }

    /// Returns the limits that the options say, and the usual ones beside.
    ///
    /// - Throws: `Failure`.
    func limits() throws -> VaultLimits {
      var limits = VaultLimits()
      if let cap {
        guard let amount = try? Amount(cap) else { throw Failure.usage("--cap is an amount such as 100.00") }
        limits.cap = amount
      }
      for (name, value, limit) in [
        ("pending", pending, \VaultLimits.pending), ("deposits-per-day", depositsPerDay, \.depositsPerDay),
      ] {
        guard let value else { continue }
        guard value >= 0 else { throw Failure.usage("--\(name) must not be negative") }
        limits[keyPath: limit] = value
      }
      for (name, value, limit) in [
        ("draft-seconds", draftSeconds, \VaultLimits.draftLifetime), ("expiry-seconds", expirySeconds, \.longestLife),
      ] {
        guard let value else { continue }
        guard (1...1_000_000_000).contains(value) else { throw Failure.usage("--\(name) is 1 to 1000000000") }
        limits[keyPath: limit] = value
      }
      return limits
    }
  }
#endif
