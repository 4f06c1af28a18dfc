import ArgumentParser
import BumpClip
import BumpKit
import BumpLint
import BumpTerminal

/// The options that name the project of an App Clip.
struct ProjectOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The project's folder.", valueName: "folder"), completion: .directory)
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "A product of `bump-clip status`, for the ids and URLs that project.json does not give.",
      valueName: "product"), completion: Completions.products)
  var product: String?

  @Option(
    help: ArgumentHelp(
      "The directory of your own products' files (by default $XDG_CONFIG_HOME/bump/experiences).",
      valueName: "directory"),
    completion: .directory)
  var experiences: String?

  /// A project that was read.
  struct Project {
    let files: [SourceFile]
    let experiences: Experiences
    /// The description from the named product.
    let product: ProjectDescription?

    /// Returns the description in project.json, completed by the product.
    ///
    /// - Throws: `CommandError`.
    func description() throws -> ProjectDescription {
      var description = ProjectDescription()
      if let file = files.first(where: { $0.path == "project.json" }) {
        do {
          description = try ProjectDescription(file.content)
        } catch {
          throw CommandError(.failure, "project.json:\(error.line): \(error.reason)")
        }
      }
      if let product { description.add(product) }
      return description
    }

    /// Returns the writer of the files that the project needs.
    ///
    /// - Throws: `CommandError` that says what the project does not describe.
    func writer() throws -> ProjectWriter {
      do {
        return try ProjectWriter(description())
      } catch let error as ProjectWriter.Missing {
        throw CommandError(.failure, error.reason, remedy: error.remedy)
      }
    }
  }

  /// Reads the project.
  ///
  /// - Throws: `CommandError`.
  func read() throws -> Project {
    let experiences = try Experiences.known(in: experiences)
    let description = try product.map { ProjectDescription(try experiences.named($0)) }
    do {
      return Project(files: try ProjectFolder.read(folder), experiences: experiences, product: description)
    } catch {
      throw CommandError(.failure, error.reason, remedy: error.remedy)
    }
  }

  /// The folder as a prefix of its files' paths: relative and without `.`; `nil` if it is not below the current
  /// directory.
  var prefix: String? {
    guard !folder.hasPrefix("/") else { return nil }
    let parts = folder.split(separator: "/").filter { $0 != "." }
    return parts.contains("..") ? nil : parts.joined(separator: "/")
  }
}

/// The options of commands that write files, and the report of those files.
struct WrittenFiles: ParsableArguments {
  @Flag(help: "Replace existing files whose contents differ.")
  var force = false

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  /// Writes files below a folder, and reports each.
  func write(_ files: [(path: String, text: String)], in folder: String, _ json: JSONLines) throws -> ExitStatus {
    for (path, text) in files {
      do {
        let written = try ProjectFolder.write(Array(text.utf8), to: path, in: folder, replacing: force)
        let word = written == .written ? "written" : "unchanged"
        json.write(word, ["file": .string(path)])
        if !json.isOn { Console.result("\(word): \(VisibleText.of(path))") }
      } catch {
        throw CommandError(.failure, error.reason, remedy: error.remedy)
      }
    }
    json.write("result", ["outcome": "written", "exit": 0])
    return .success
  }
}
