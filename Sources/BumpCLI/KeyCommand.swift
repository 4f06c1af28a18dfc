import ArgumentParser
import BumpKit

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make a key that two machines share, and keep account of those that were remembered.",
    subcommands: [New.self, List.self, Forget.self])

  func run() throws { throw ValidationError("name a command: new, list or forget") }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Make a new key in a new file that only you can read.",
      discussion: "Bring the file to the other machine by a way you trust, then name it there and here with --key.")

    @Argument(help: "The file; one that is there already is left as it is.", completion: .file())
    var file: String

    func run() throws { try KeyFile.create(file) }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List who is remembered.")

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
      try Console.checkResult()
    }
  }

  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Forget somebody's key.")

    @Argument(help: "The name, as `bump key list` shows it.", completion: Completions.names, transform: Arguments.name)
    var name: DisplayName

    @OptionGroup var store: StoreOptions

    func run() async throws {
      guard try await store.open().forget(name) else {
        throw CommandError(.failure, "nobody is remembered as \(name.quoted); `bump key list` tells who is")
      }
    }
  }
}
