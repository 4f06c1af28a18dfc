/// The sources of the profiles' evidence.
enum Source {
  static let apple = "developer.apple.com/documentation/multipeerconnectivity"
  static let headers = "the comments in the headers of MultipeerConnectivity"
  static let bindings = "github.com/dotnet/macios src/multipeerconnectivity.cs"
  static let dnssd = "Apple's dns_sd.h: kDNSServiceErr_NoAuth, kDNSServiceErr_PolicyDenied"
  static let wwdc2013 = "asciiwwdc.com/2013/sessions/708"
  static let wwdc2014 = "asciiwwdc.com/2014/sessions/709"
  static let technote = "developer.apple.com/forums/thread/776069 (TN3213)"
  static let stackOverflow =
    "Stack Overflow, Why is Multipeer Connectivity Framework finding itself as a foreign peer?"
  static let ymc = "ymc.ch, Multipeer Connectivity: a bag of hurt"
  static let plashless = "plashless.wordpress.com/2015/04"
  static let thaliBindings = "github.com/thaliproject/thali pages/documentation/PresenceProtocolBindings.md"
  static let reticulum = "github.com/torlando-tech/reticulum-swift MPCInterface.swift"
  static let muPeer = "github.com/musesum/MuPeer PeersController.swift"
  static let linkUpImprovements = "github.com/SEBASTIANCONTRERAS35/LinkUp CONNECTION_IMPROVEMENTS_ULTRATHINK.md"
  static let linkUpFailure = "github.com/SEBASTIANCONTRERAS35/LinkUp CONNECTION_FAILURE_FIX.md"
  static let linkUpFixes = "github.com/SEBASTIANCONTRERAS35/LinkUp MULTIPEER_CONNECTIVITY_FIXES.md"

  static func thread(_ number: Int) -> String { "developer.apple.com/forums/thread/\(number)" }
  static func thali(_ number: Int) -> String { "github.com/thaliproject/Thali_CordovaPlugin issue \(number)" }
  static func radar(_ number: Int) -> String { "github.com/lionheart/openradar-mirror issue \(number)" }
  static func multipeerKit(_ number: Int) -> String { "github.com/insidegui/MultipeerKit issue \(number)" }
  static func pull(_ repository: String, _ number: Int) -> String { "github.com/\(repository) pull \(number)" }
  static func issue(_ repository: String, _ number: Int) -> String { "github.com/\(repository) issue \(number)" }
}
