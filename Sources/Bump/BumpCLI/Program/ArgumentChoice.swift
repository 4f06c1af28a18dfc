import ArgumentParser

/// A value of an option that is one of a few names, each with a description for the help and the manual page.
///
/// The parser has the same for each enumeration, but as generic code that asks Swift's runtime for conformances: three
/// searches through all of the program, which each bump would pay for.
protocol ArgumentChoice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> where AllCases == [Self] {}

extension ArgumentChoice {
  static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  static var allValueDescriptions: [String: String] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.defaultValueDescription) })
  }
}
