import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make a key that two machines share, and list or forget remembered ones.",
    subcommands: [New.self, List.self, Forget.self])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Make a new key in a new file that only you can read.",
      discussion: "Bring the file to the other machine by a way you trust, then name it there and here with --key.")

    @Argument(help: "The new file. An existing file is never overwritten.", completion: .file())
    var file: String

    func run() throws {
      try KeyFile.create(file)
      let key = ShellCommand.option("--key", file)
      let (send, receive) = (["bump", "send", "1.00"] + key, ["bump", "receive"] + key)
      let console = Console(quiet: false)
      console.say("The key is in \(file). Bring the file to the other machine by a way you trust.")
      console.say("Then: \(ShellCommand.text(send)), and there: \(ShellCommand.text(receive))")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the remembered names.")

    @OptionGroup var store: StoreOptions

    func run() async throws {
      let store = try await store.openForReading()
      let names = try await store?.rememberedNames() ?? []
      for name in names {
        let isConfirmed = try await store?.isConfirmed(name) == true
        Console.result(name.visible + (isConfirmed ? "" : "  (it is not known whether the other side remembers you)"))
      }
      if names.isEmpty {
        Console(quiet: false).say(
          "Nobody is remembered yet. Meet once with `bump send 1.00 --code --remember NAME` and --remember on the other side."
        )
      }
      try Console.checkList()
    }
  }

  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Forget somebody's key.")

    @Argument(help: "The name, as `bump key list` shows it.", completion: Completions.names, transform: Arguments.name)
    var name: DisplayName

    @OptionGroup var store: StoreOptions

    func run() async throws {
      guard try await store.open().forget(name) == .forgotten else {
        throw CommandError(
          .failure, "nobody is remembered as \(name.quoted)", remedy: "`bump key list` lists the names that are")
      }
      Console(quiet: false).say("\(name.quoted) is forgotten here. The other side forgets you in the same way.")
    }
  }
}
