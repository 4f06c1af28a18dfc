import ArgumentParser
import BumpKit
import BumpLint
import BumpTerminal

struct AssociationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aasa", abstract: "Write and serve apple-app-site-association files.",
    subcommands: [Show.self, Write.self, Serve.self])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print the file of one host.",
      usage: "bump-clip aasa show [<folder>] [<options>]")

    @Option(help: ArgumentHelp("The host, where the project has several.", valueName: "host"))
    var host: String?
    @OptionGroup var project: ProjectOptions

    func run() async throws {
      let writer = try project.read().writer()
      guard let host = host ?? (writer.hosts.count == 1 ? writer.hosts[0] : nil), writer.hosts.contains(host) else {
        throw CommandError(
          .failure, host == nil ? "the project has several hosts" : "the project has no such host",
          remedy: "Name one with --host: \(writer.hosts.joined(separator: ", "))")
      }
      Console.result(String(try writer.file(of: host).dropLast()))
      try Console.checkResult()
    }
  }

  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write", abstract: "Write the files of all hosts, below sites/HOST in the folder.",
      usage: "bump-clip aasa write [<folder>] [<options>]")

    @OptionGroup var project: ProjectOptions
    @OptionGroup var files: WrittenFiles

    func run() async throws {
      let json = JSONLines(files.json)
      throw try await json.concluding {
        let writer = try project.read().writer()
        let all = try writer.hosts.map { ("sites/\($0)\(AssociationResponder.path)", try writer.file(of: $0)) }
        return try files.write(all, in: project.folder, json)
      }
    }
  }

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serve the files for tests, as Apple requires, to this machine alone.",
      usage: "bump-clip aasa serve [<folder>] [<options>]",
      discussion: """
        Each host's file is the one in the folder, or else what `bump-clip aasa write` would write. bump-clip serves it \
        over HTTP on the loopback interface, at its exact URL, with status 200 and the type application/json, until \
        Ctrl-C. A website needs a server of its own, with HTTPS.
        """)

    @OptionGroup var project: ProjectOptions
    @Option(
      parsing: .unconditional, help: ArgumentHelp("The TCP port (default: one that is free).", valueName: "port"),
      transform: Arguments.port)
    var port: UInt16 = 0

    @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
    var json = false

    func run() async throws {
      let json = JSONLines(json)
      throw try await json.concluding {
        let read = try project.read()
        var files = SiteFiles(read.files).byHost
        if let writer = try? read.writer() {
          for host in writer.hosts where files[host] == nil { files[host] = Array(try writer.file(of: host).utf8) }
        }
        guard !files.isEmpty else {
          throw CommandError(
            .failure, "there is no file to serve", remedy: "Write some with `bump-clip aasa write`, or name a --product"
          )
        }
        let server = AssociationServer(files: files, json: json)
        let port = port
        return try await Interrupt.cancels { try await server.run(port: port) }
      }
    }
  }
}

extension ProjectWriter {
  /// Returns the file of a host, or throws the error that says what the project does not describe.
  fileprivate func file(of host: String) throws -> String {
    do {
      return try association(of: host)
    } catch {
      throw CommandError(.failure, error.reason, remedy: error.remedy)
    }
  }
}
