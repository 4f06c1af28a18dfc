import ArgumentParser

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Make a key that two machines share.", subcommands: [New.self])

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Make a new key in a new file that only you can read.",
      discussion: "Bring the file to the other machine by a way you trust, then name it there and here with --key.")

    @Argument(help: "The file; one that is there already is left as it is.")
    var file: String

    func run() throws { try KeyFile.create(file) }
  }
}
