import BumpText
import BumpVaultAPI
import Crypto

/// The pages that a browser opens: the one of a claim's link, the one on which a sender watches a claim, and the one of a
/// wallet. They are the same for everybody: what a page shows, its script asks the API for.
struct Pages: Sendable {
  /// A page of its own address.
  enum Document: String, Hashable, Sendable, CaseIterable {
    case claim
    case sent
    case wallet

    /// The file that it is made of. The page of a sender is the one of a receiver with other texts.
    fileprivate var template: String { self == .wallet ? "wallet.html" : "claim.html" }
  }

  /// A file that a page loads.
  struct Asset: Sendable {
    let type: String
    let content: [UInt8]
  }

  /// The pages of this build.
  static let embedded: Pages = {
    do {
      return try Pages(PageFiles.embedded)
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// The first 16 hex digits of the SHA-256 of what `sha256sum` prints for the assets in the order of their names. It is
  /// in their addresses, so that a browser keeps them and still has those of a new build at once.
  let hash: String
  /// A JSON object with that hash, and the SHA-256 of each file by its name: of the HTML and the texts, too.
  let manifest: [UInt8]
  private let assets: [String: Asset]
  private let documents: [Document: [PageLanguage: [UInt8]]]

  /// Fills the pages, each in each language.
  ///
  /// - Parameter files: the content of each file by its name.
  /// - Throws: `PageError` if a file or a text is missing, or is not as it must be.
  init(_ files: [String: [UInt8]]) throws(PageError) {
    var assets: [String: Asset] = [:]
    for (name, content) in files {
      if let type = Self.type(of: name) { assets[name] = Asset(type: type, content: content) }
    }
    self.assets = assets
    let sums = assets.sorted { $0.key < $1.key }.map { "\(Self.digest(of: $1.content))  \($0)\n" }
    let hash = String(Self.digest(of: Array(sums.joined().utf8)).prefix(16))
    self.hash = hash
    var texts: [PageLanguage: [String: String]] = [:]
    var sources: [String] = []
    for language in PageLanguage.allCases {
      // The scripts load the wallet's texts where they are used.
      for name in ["\(language.rawValue).json", "wallet.\(language.rawValue).json"] {
        let source = try Self.text(name, of: files)
        guard let strings = try? JSONValue.strings(Array(source.utf8)) else {
          throw PageError(reason: "\(name) is not an object of strings")
        }
        texts[language, default: [:]].merge(strings) { first, _ in first }
        if !name.hasPrefix("wallet.") { sources.append("\"\(language.rawValue)\":\(source)") }
      }
    }
    // No text can end the script element: in JSON a `<` is within a string.
    let both = "{\(sources.joined(separator: ","))}".replacing("<", with: #"\u003c"#)
    var documents: [Document: [PageLanguage: [UInt8]]] = [:]
    for document in Document.allCases {
      let template = try Self.text(document.template, of: files)
      for language in PageLanguage.allCases {
        let page = try PageTemplate.filled(template) { name in
          switch name {
          case "assets": "/page/\(hash)"
          case "language": language.rawValue
          case "page": document.rawValue
          case "texts": both
          default:
            name.hasPrefix("t:")
              ? Self.text(String(name.dropFirst(2)), of: document, in: texts[language] ?? [:]) : nil
          }
        }
        documents[document, default: [:]][language] = Array(page.utf8)
      }
    }
    self.documents = documents
    let digests = files.sorted { $0.key < $1.key }.map {
      JSONValue.Member($0.key, .string(Self.digest(of: $0.value)))
    }
    manifest = JSONValue.object([.init("hash", .string(hash)), .init("files", .object(digests))]).encoded
  }

  private static func digest(of bytes: [UInt8]) -> String { Hex.text(Array(SHA256.hash(data: bytes))) }

  private static func text(_ name: String, of files: [String: [UInt8]]) throws(PageError) -> String {
    guard let file = files[name], let text = String(validating: file, as: UTF8.self) else {
      throw PageError(reason: "\(name) is missing, or is not text in UTF-8")
    }
    return text
  }

  /// Returns a text as HTML: the one that this page has of its own, or else that of all; `nil` if there is neither.
  private static func text(_ name: String, of document: Document, in texts: [String: String]) -> String? {
    (texts["\(document.rawValue).\(name)"] ?? texts[name]).map(PageTemplate.escaped)
  }

  /// Returns the media type of an asset; `nil` for a file that is none.
  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "js": "text/javascript"
    case "css": "text/css"
    case "svg": "image/svg+xml"
    // Those of the claim page are in its HTML.
    case "json": name.split(separator: ".").count == 3 ? "application/json" : nil
    default: nil
    }
  }

  /// Returns a page in a language.
  func content(of document: Document, in language: PageLanguage) -> [UInt8] { documents[document]?[language] ?? [] }

  /// Returns a file that a page loads; `nil` if there is none of that name, or if it is of another build.
  func asset(_ name: String, hash: String) -> Asset? { hash == self.hash ? assets[name] : nil }

  /// The names of all files that pages load.
  var assetNames: [String] { assets.keys.sorted() }
}
