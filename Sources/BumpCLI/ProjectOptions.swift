import ArgumentParser
import BumpClip
import BumpKit
import BumpLint

/// Which project of an App Clip is meant.
struct ProjectOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The project's folder (default: this one).", valueName: "folder"), completion: .directory)
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "The product whose ids and URLs hold where project.json says nothing, as `bump clip status` lists it.",
      valueName: "product"))
  var product: String?

  @Option(
    help: ArgumentHelp(
      "The directory of your own products' files (by default $XDG_CONFIG_HOME/bump/experiences).",
      valueName: "directory"),
    completion: .directory)
  var experiences: String?

  /// A project, as its commands take it.
  struct Project {
    let files: [SourceFile]
    let experiences: Experiences
    /// What the product says that was named.
    let product: ProjectDescription?

    /// What project.json says, and the product.
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

    /// The writer of what the project needs.
    ///
    /// - Throws: `CommandError` with what is not described.
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
    let description = try product.map { id in
      guard let product = experiences.product(id) else {
        throw CommandError(
          .failure, "no product is called \(VisibleText.of(id))", remedy: "`bump clip status` lists them")
      }
      return ProjectDescription(product)
    }
    do {
      return Project(files: try ProjectFolder.read(folder), experiences: experiences, product: description)
    } catch {
      throw CommandError(.failure, error.reason, remedy: error.remedy)
    }
  }

  /// The folder as others name its files by it: relative and plain, or `nil` where it is not below this one.
  var prefix: String? {
    guard !folder.hasPrefix("/") else { return nil }
    let parts = folder.split(separator: "/").filter { $0 != "." }
    return parts.contains("..") ? nil : parts.joined(separator: "/")
  }
}

/// What commands that write files take, and how they tell of them.
struct WrittenFiles: ParsableArguments {
  @Flag(help: "Replace files that have something else in them.")
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
