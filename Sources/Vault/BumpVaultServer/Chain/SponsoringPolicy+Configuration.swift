#if Vault
  import BumpChain
  import BumpVaultAPI

  extension SponsoringPolicy {
    /// Reads the policy of a configuration.
    ///
    /// What all together may cost in an interval must have a limit: everything else multiplies with the number of
    /// strangers, who make as many addresses as they like.
    init(configured value: JSONValue, at place: String) throws {
      var policy = try ConfigurationObject(value, at: place)
      let kinds = try policy.required("kinds", ConfigurationValue.list(ConfigurationValue.name(of: SponsoredKind.self)))
      let together = try policy.required("together", ConfigurationValue.list(Limit.init(configured:at:)))
      self.init(
        Set(kinds), perOperation: try policy.optional("perOperation", ConfigurationValue.coins),
        perPerson: try policy.optional("perPerson", ConfigurationValue.list(Limit.init(configured:at:))) ?? [],
        together: together)
      let addresses = ConfigurationValue.list(ConfigurationValue.address)
      allowed = try policy.optional("allowed", addresses).map { Set($0) }
      blocked = Set(try policy.optional("blocked", addresses) ?? [])
      start = try policy.optional("start", ConfigurationValue.time)
      end = try policy.optional("end", ConfigurationValue.time)
      try policy.end()
      guard kinds.isEmpty || together.contains(where: { $0.amount != nil }) else {
        throw ConfigurationMistake("\(place).together", "has no limit with an amount")
      }
      guard Set(kinds).count == kinds.count else { throw ConfigurationMistake("\(place).kinds", "has a kind twice") }
      if let start, let end, start >= end { throw ConfigurationMistake("\(place).end", "is not after the start") }
    }
  }

  extension SponsoringPolicy.Limit {
    fileprivate init(configured value: JSONValue, at place: String) throws {
      var limit = try ConfigurationObject(value, at: place)
      let interval = try limit.required("interval", ConfigurationValue.name(of: CalendarInterval.self))
      let amount = try limit.optional("amount", ConfigurationValue.coins)
      let count = try limit.optional("count", ConfigurationValue.number(in: 0...Int64.max))
      try limit.end()
      guard amount != nil || count != nil else { throw ConfigurationMistake(place, "has neither amount nor count") }
      self.init(interval, amount: amount, count: count.map { UInt64($0) })
    }
  }
#endif
