import ArgumentParser

/// A value of an option that is one of a few names, each with a description for the help and the manual page.
///
/// The parser has the same for each enumeration, but as generic code. That would have Swift's runtime search all
/// conformances of the program once more for each enumeration, at each start.
protocol ArgumentChoice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> where AllCases == [Self] {}

extension ArgumentChoice {
  static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  static var allValueDescriptions: [String: String] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.defaultValueDescription) })
  }
}
