/// A rule that the linter checks. Its id never changes.
public enum Rule: String, CaseIterable, Hashable, Sendable {
  case serviceTypeSyntax = "service-type-syntax"
  case serviceTypeMismatch = "service-type-mismatch"
  case bonjourFormat = "bonjour-format"
  case bonjourMissing = "bonjour-missing"
  case bonjourUDPMissing = "bonjour-udp-missing"
  case localNetworkUsageMissing = "local-network-usage-missing"
  case clipLocalNetwork = "clip-local-network"
  case clipFramework = "clip-framework"
  case clipCloud = "clip-cloud"
  case clipBackground = "clip-background"
  case clipURLScheme = "clip-url-scheme"
  case clipDomainPrefix = "clip-domain-prefix"
  case appAppclipsMissing = "app-appclips-missing"
  case appApplinksMissing = "app-applinks-missing"
  case hostMismatch = "host-mismatch"
  case hostPlaceholder = "host-placeholder"
  case domainSyntax = "domain-syntax"
  case domainWildcard = "domain-wildcard"
  case developerMode = "developer-mode"
  case groupMissing = "group-missing"
  case groupMismatch = "group-mismatch"
  case groupPrefix = "group-prefix"
  case parentIdentifier = "parent-identifier"
  case associatedClipIdentifier = "associated-clip-identifier"
  case onDemandMissing = "on-demand-missing"
  case bundlePrefix = "bundle-prefix"
  case sizeLimit = "size-limit"
  case sizePhysical = "size-physical"
  case aasaAbsent = "aasa-absent"
  case aasaJson = "aasa-json"
  case aasaServed = "aasa-served"
  case aasaName = "aasa-name"
  case aasaContentType = "aasa-content-type"
  case aasaSize = "aasa-size"
  case aasaClipMissing = "aasa-clip-missing"
  case aasaAppIDSyntax = "aasa-appid-syntax"
  case aasaAppclipsDetails = "aasa-appclips-details"
  case aasaClipInApplinks = "aasa-clip-in-applinks"
  case aasaLegacyApps = "aasa-legacy-apps"
  case aasaLegacyFormat = "aasa-legacy-format"
  case aasaMixedFormat = "aasa-mixed-format"
  case aasaPathBare = "aasa-path-bare"
  case aasaPathWide = "aasa-path-wide"
  case aasaCase = "aasa-case"
  case aasaUncovered = "aasa-uncovered"
  case aasaUnreachable = "aasa-unreachable"
  case aasaPatternSyntax = "aasa-pattern-syntax"
  case aasaVariable = "aasa-variable"
  case redirectTarget = "redirect-target"
  case registeredQuery = "registered-query"
  case bannerAppID = "banner-app-id"
  case bannerArgument = "banner-argument"
  case debugURL = "debug-url"
  case unreadable = "unreadable"

  /// How serious it is to break a rule.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// Breaking the rule never works.
    case error
    /// Breaking the rule fails in some cases.
    case warning
    /// Worth knowing.
    case note
  }

  /// The name of the rule, such as `service-type-syntax`.
  public var id: String { rawValue }

  /// How serious a finding of the rule is.
  public var severity: Severity { page.severity }

  /// The reason for the rule, in one or two sentences.
  public var why: String { page.why }

  /// An example of what breaks the rule.
  public var example: String { page.example }

  /// What to do, as a sentence without a full stop.
  public var mend: String { page.mend }
}
