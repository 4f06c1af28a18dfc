import ArgumentParser

/// Help, a version or a completion script that an argument asks for.
enum HelpRequest {
  /// The commands that take an argument, which somebody else may have named. The id, link or file name `-h` must not pass
  /// for one that is there: in `bump claim "$id"` nothing tells it from a request for help.
  private static var acting: [any ParsableCommand.Type] {
    [
      SendCommand.self, ReceiveCommand.self, ClaimCommand.self, RefundCommand.self, ShowCommand.self, LinkCommand.self,
      SettleCommand.self, KeyCommand.New.self, KeyCommand.Forget.self, WalletCommand.Trust.self, CardCommand.Share.self,
      CardCommand.Fetch.self, ClipCommand.Open.self, ClipCommand.Handover.self, ClipCommand.Consume.self,
      ClipCommand.Evict.self, ClipCommand.Install.self, ClipCommand.Status.self, ClipCommand.Resolve.self,
      ClipCommand.Profile.self, LintCommand.self, AssociationCommand.Show.self, AssociationCommand.Write.self,
      AssociationCommand.Serve.self, EntitlementsCommand.Show.self, EntitlementsCommand.Write.self,
    ]
  }

  /// Returns the command that was asked for help and did not do what its success would say; `nil` if help is what was
  /// asked for.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  static func unfulfilled(_ arguments: [String]) -> String? {
    let path = UsageHint.path(of: arguments)
    guard let command = path.last, acting.contains(where: { $0 == command }) else { return nil }
    return path.map { $0._commandName }.joined(separator: " ")
  }
}
