import ArgumentParser
import BumpKit
import BumpTerminal

/// The program `bump`.
@main enum Bump: Program {
  typealias Root = BumpCommand

  static func main() { start() }

  static var variables: [String] { Environment.variables }

  static var commandsWithArguments: [any ParsableCommand.Type] {
    [
      SendCommand.self, ReceiveCommand.self, ClaimCommand.self, RefundCommand.self, ShowCommand.self, LinkCommand.self,
      SettleCommand.self, RestoreCommand.self, KeyCommand.New.self, KeyCommand.Forget.self, WalletCommand.Trust.self,
    ]
  }

  /// Parses `send` and `receive` without the tree of all commands, which would be 8 % of what a bump computes. If that
  /// fails, because of a wrong option or `--help`, the tree is used: its messages name `bump`.
  static func parse(_ arguments: [String]) async throws -> any ParsableCommand {
    let arguments = Arguments.protectingAmount(arguments)
    let bumps: [any AsyncParsableCommand.Type] = [SendCommand.self, ReceiveCommand.self]
    if let bump = bumps.first(where: { $0.configuration.commandName == arguments.first }) {
      // Reading the arguments takes as long as opening a store.
      ClaimStore.prepare()
      if let command = try? await bump.asyncParseAsRoot(Array(arguments.dropFirst())), type(of: command) == bump {
        return command
      }
    }
    return try await BumpCommand.asyncParseAsRoot(arguments)
  }

  static func isSimulation(_ arguments: [String]) -> Bool { arguments.contains { $0.hasPrefix("--simulate") } }

  static func unknown(_ word: String) -> String { BumpCommand.unknown(word) }

  static func cleanUp() { Simulation.removeStore() }
}
