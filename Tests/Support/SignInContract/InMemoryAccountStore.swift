package import BumpSignIn
import Synchronization

/// A store that keeps nothing, and shows plainly what the others do in SQL.
package final class InMemoryAccountStore: AccountStore {
  private let all = Mutex(AccountRows())

  package init() {}

  /// All rows.
  package var everything: AccountRows { all.withLock(\.self) }

  package func change<Answer: Sendable>(
    _ selection: AccountSelection, _ operation: @escaping @Sendable (inout AccountRows) -> Answer
  ) async throws -> Answer {
    all.withLock { all in
      let before = all.selected(selection)
      var after = before
      let answer = operation(&after)
      let changes = AccountChanges(from: before, to: after)
      changes.addresses.apply(to: &all.addresses)
      changes.flows.apply(to: &all.flows)
      changes.accounts.apply(to: &all.accounts)
      changes.devices.apply(to: &all.devices)
      changes.sessions.apply(to: &all.sessions)
      return answer
    }
  }

  package func rows(_ selection: AccountSelection) async throws -> AccountRows {
    all.withLock { $0.selected(selection) }
  }

  @discardableResult package func removeLapsed(at now: Int64, _ limits: SignInLimits) async throws -> Int {
    all.withLock { all in
      let before = all.flows.count + all.sessions.count + all.addresses.count
      all.flows = all.flows.filter { $0.value.expires > now }
      all.sessions = all.sessions.filter { $0.value.began > now - limits.sessionLifetime }
      all.addresses = all.addresses.filter {
        $0.value.account != nil || ($0.value.codes.max() ?? 0) > now - limits.codeMemory
      }
      return before - all.flows.count - all.sessions.count - all.addresses.count
    }
  }
}

extension AccountRows {
  fileprivate func selected(_ selection: AccountSelection) -> AccountRows {
    var rows = AccountRows()
    switch selection {
    case .beginning(let address, let earlier):
      rows.addresses[address] = addresses[address]
      if let earlier { rows.flows[earlier] = flows[earlier] }
    case .entering(let token, let earlier):
      guard let flow = flows[token] else { break }
      rows.flows[token] = flow
      rows.addresses[flow.address] = addresses[flow.address]
      if let account = addresses[flow.address]?.account { rows.add(account, of: self) }
      if let earlier { rows.addSession(of: earlier, of: self) }
    case .session(let token, let device):
      rows.addSession(of: token, of: self)
      if let account = rows.sessions.values.first?.account { rows.add(account, of: self) }
      if let device, let found = devices[device] { rows.devices[device] = found }
    case .device(let id):
      rows.devices[id] = devices[id]
      if let account = devices[id]?.account { rows.accounts[account] = accounts[account] }
    }
    return rows
  }

  private mutating func add(_ account: AccountID, of all: AccountRows) {
    accounts[account] = all.accounts[account]
    devices.merge(all.devices.filter { $0.value.account == account }) { first, _ in first }
    sessions.merge(all.sessions.filter { $0.value.account == account }) { first, _ in first }
  }

  private mutating func addSession(of token: TokenHash, of all: AccountRows) {
    sessions.merge(all.sessions.filter { $0.value.token == token || $0.value.previous == token }) { first, _ in first }
  }
}

extension AccountChanges.Of {
  fileprivate func apply(to table: inout [Row.Key: Row]) {
    for key in deleted { table[key] = nil }
    for row in inserted + updated { table[row.key] = row }
  }
}
