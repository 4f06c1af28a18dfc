/// A rule that the linter checks. Its id never changes. The comment of a case says what breaks the rule; an association
/// file is `apple-app-site-association`.
public enum Rule: String, CaseIterable, Hashable, Sendable {
  /// A service type that is not 1 to 15 of a-z, 0-9 and single inner hyphens, with a letter among them (RFC 6335 §5.1).
  case serviceTypeSyntax = "service-type-syntax"
  /// A service type in the code (`serviceType` of project.json) that the NSBonjourServices of app or clip does not list.
  case serviceTypeMismatch = "service-type-mismatch"
  /// An entry of NSBonjourServices that is not `_TYPE._tcp` or `_TYPE._udp`.
  case bonjourFormat = "bonjour-format"
  /// An app with Multipeer Connectivity and without NSBonjourServices.
  case bonjourMissing = "bonjour-missing"
  /// An entry `_TYPE._tcp` of NSBonjourServices without its `_TYPE._udp`, in an app with Multipeer Connectivity.
  case bonjourUDPMissing = "bonjour-udp-missing"
  /// An app with NSBonjourServices, and no text in NSLocalNetworkUsageDescription.
  case localNetworkUsageMissing = "local-network-usage-missing"
  /// A clip with Multipeer Connectivity or NSBonjourServices.
  case clipLocalNetwork = "clip-local-network"
  /// A clip with a framework that does nothing in a clip, such as Contacts or CoreMotion.
  case clipFramework = "clip-framework"
  /// A clip with a service of iCloud other than `CloudKit-Anonymous`, or with CloudKit before iOS 16.
  case clipCloud = "clip-cloud"
  /// A clip with UIBackgroundModes: a clip does nothing in the background.
  case clipBackground = "clip-background"
  /// A clip with CFBundleURLTypes: URL schemes are for the app.
  case clipURLScheme = "clip-url-scheme"
  /// A host that the clip lists under `applinks:`, but not under `appclips:`.
  case clipDomainPrefix = "clip-domain-prefix"
  /// A host that the clip lists under `appclips:`, and the app does not.
  case appAppclipsMissing = "app-appclips-missing"
  /// A host of the project's links that the app does not list under `applinks:`.
  case appApplinksMissing = "app-applinks-missing"
  /// A host of invocation URLs that the clip does not list under `appclips:`.
  case hostMismatch = "host-mismatch"
  /// A host of templates, such as `yourapp.com`, or one that RFC 2606 reserves, such as `example.com`.
  case hostPlaceholder = "host-placeholder"
  /// An associated domain that is not `SERVICE:HOST` or `SERVICE:HOST?mode=MODE`.
  case domainSyntax = "domain-syntax"
  /// An associated domain of `appclips:` with a wildcard.
  case domainWildcard = "domain-wildcard"
  /// An associated domain with `?mode=developer` or `?mode=developer+managed`.
  case developerMode = "developer-mode"
  /// A target without an App Group, when the other target has one.
  case groupMissing = "group-missing"
  /// An app and a clip without a common App Group, or a group in the code that is not common to them.
  case groupMismatch = "group-mismatch"
  /// An App Group whose id does not begin with `group.`.
  case groupPrefix = "group-prefix"
  /// A clip whose `parent-application-identifiers` is not the app's id alone.
  case parentIdentifier = "parent-identifier"
  /// An app whose `associated-appclip-app-identifiers` is not the clip's id alone.
  case associatedClipIdentifier = "associated-clip-identifier"
  /// A clip whose entitlements do not set `on-demand-install-capable` to true.
  case onDemandMissing = "on-demand-missing"
  /// A clip whose bundle id does not begin with the app's and a dot.
  case bundlePrefix = "bundle-prefix"
  /// A clip over the limit of its deployment target, uncompressed: 10 MB before iOS 16, 15 MB with 16, then 100 MB.
  case sizeLimit = "size-limit"
  /// A clip over 15 MB that a QR code, an NFC tag or an App Clip Code opens.
  case sizePhysical = "size-physical"
  /// A host of invocation URLs whose `apple-app-site-association` file is not in the project.
  case aasaAbsent = "aasa-absent"
  /// An association file that is not a JSON object, or a value in it of a wrong type.
  case aasaJson = "aasa-json"
  /// An association file that its server answers with a status other than 200, as with a redirect.
  case aasaServed = "aasa-served"
  /// An association file that is not at `.well-known/apple-app-site-association`.
  case aasaName = "aasa-name"
  /// An association file that is not served as `application/json`.
  case aasaContentType = "aasa-content-type"
  /// An association file of more than 131,072 bytes.
  case aasaSize = "aasa-size"
  /// An `appclips.apps` that does not list the clip's id, or that lists the app's.
  case aasaClipMissing = "aasa-clip-missing"
  /// An application id that is not ten of A-Z and 0-9, a dot, and a bundle id.
  case aasaAppIDSyntax = "aasa-appid-syntax"
  /// `details` under `appclips`, where nothing reads it.
  case aasaAppclipsDetails = "aasa-appclips-details"
  /// The clip's id under `applinks`.
  case aasaClipInApplinks = "aasa-clip-in-applinks"
  /// `apps` under `applinks`, which is no longer read.
  case aasaLegacyApps = "aasa-legacy-apps"
  /// An entry with `appID` or `paths` and without `components`: the format before iOS 13.
  case aasaLegacyFormat = "aasa-legacy-format"
  /// An entry that has `appID` or `paths` beside `appIDs`, and no `components`.
  case aasaMixedFormat = "aasa-mixed-format"
  /// A URL that a pattern would take only with a slash at its end: `/x/*` does not take `/x`.
  case aasaPathBare = "aasa-path-bare"
  /// A pattern with a letter or digit before its last `*`: `/clip*` takes `/clipboard`.
  case aasaPathWide = "aasa-path-wide"
  /// A URL that a pattern takes only in another case.
  case aasaCase = "aasa-case"
  /// A URL of the project that no pattern takes, or that one excludes.
  case aasaUncovered = "aasa-uncovered"
  /// A pattern after one that takes everything, or after the same pattern.
  case aasaUnreachable = "aasa-unreachable"
  /// A path that does not begin with a slash, or a pattern with a piece of a regular expression, such as a brace.
  case aasaPatternSyntax = "aasa-pattern-syntax"
  /// A variable that is not defined, not closed or badly named, or whose values have a variable in them.
  case aasaVariable = "aasa-variable"
  /// A redirect from or to a host that is not associated with the clip.
  case redirectTarget = "redirect-target"
  /// A registered URL with a query or a fragment.
  case registeredQuery = "registered-query"
  /// A banner whose `app-id` is not a number, or whose `app-clip-bundle-id` is not the clip's.
  case bannerAppID = "banner-app-id"
  /// A banner for a clip with `app-argument`.
  case bannerArgument = "banner-argument"
  /// A URL for debugging (`_XCAppClipURL` of a scheme) that no experience and no invocation URL takes.
  case debugURL = "debug-url"
  /// An associated domain, an App Group or a service with a build setting, whose value is in none of the files.
  case buildSetting = "build-setting"
  /// A file that cannot be read, or whose patterns take too long to compare.
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
