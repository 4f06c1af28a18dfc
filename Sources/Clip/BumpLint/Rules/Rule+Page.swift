extension Rule {
  struct Page {
    let severity: Severity
    let why: String
    let example: String
    let mend: String

    init(_ severity: Severity, _ why: String, example: String, mend: String) {
      (self.severity, self.why, self.example, self.mend) = (severity, why, example, mend)
    }
  }

  /// The severity and the texts of the rule.
  var page: Page {
    switch self {
    case .serviceTypeSyntax:
      Page(
        .error,
        """
        A service type has 1 to 15 characters of a-z, 0-9 and hyphens, one of them a letter. A hyphen is neither \
        first nor last, nor next to another (RFC 6335 §5.1).
        """,
        example: "irl_bump, IRL, irl--bump",
        mend: "Name it by these characters, such as irl-bump")
    case .serviceTypeMismatch:
      Page(
        .error,
        """
        The system allows an app only those services that its NSBonjourServices lists. Another name in the code \
        finds nobody.
        """,
        example: "irl-bump-v1 in the code, _irl-bump._tcp in NSBonjourServices",
        mend: "Use one name in both")
    case .bonjourFormat:
      Page(
        .error,
        "An entry of NSBonjourServices is _TYPE._tcp or _TYPE._udp, with nothing behind it.",
        example: "irl-bump, _irl-bump._tcp.",
        mend: "Write it as _irl-bump._tcp")
    case .bonjourMissing:
      Page(
        .error,
        "Without NSBonjourServices Multipeer Connectivity fails with the error -72008.",
        example: "an app with MultipeerConnectivity, and no such key",
        mend: "Add NSBonjourServices with _TYPE._tcp")
    case .bonjourUDPMissing:
      Page(
        .note,
        "Apple asks for _tcp alone. Many guides add _udp, which harms nothing.",
        example: "_irl-bump._tcp alone, in an app with MultipeerConnectivity",
        mend: "Add the _udp entry too, or ignore this note")
    case .localNetworkUsageMissing:
      Page(
        .warning,
        "The system asks the person before it allows the local network, and shows this text.",
        example: "NSBonjourServices without NSLocalNetworkUsageDescription",
        mend: "Add NSLocalNetworkUsageDescription, and say why")
    case .clipLocalNetwork:
      Page(
        .error,
        "An App Clip has no local network: the system refuses every such operation, Bonjour among them.",
        example: "MultipeerConnectivity or NSBonjourServices in the clip",
        mend: "Leave the peers to the app, and give the clip a link")
    case .clipFramework:
      Page(
        .error,
        "These frameworks compile in an App Clip, and do nothing there.",
        example: "Contacts, CoreMotion or BackgroundTasks in the clip",
        mend: "Move what needs it to the app")
    case .clipCloud:
      Page(
        .error,
        "An App Clip reads the public database of CloudKit alone, from iOS 16 on, and writes nothing.",
        example: "CloudKit among the services of the clip",
        mend: "Use CloudKit-Anonymous, iOS 16, and the public database")
    case .clipBackground:
      Page(
        .error,
        "An App Clip does nothing in the background.",
        example: "UIBackgroundModes in the clip",
        mend: "Remove the key")
    case .clipURLScheme:
      Page(
        .warning,
        "URL schemes of one's own are for the app.",
        example: "CFBundleURLTypes in the clip",
        mend: "Remove the key")
    case .clipDomainPrefix:
      Page(
        .error,
        "applinks: does nothing in an App Clip. What opens it is appclips:.",
        example: "a clip with applinks:irl.app only",
        mend: "Add appclips:HOST")
    case .appAppclipsMissing:
      Page(
        .error,
        "The app and its clip both list the clip's hosts.",
        example: "appclips:irl.app in the clip only",
        mend: "Add appclips:HOST to the app's entitlements")
    case .appApplinksMissing:
      Page(
        .warning,
        """
        Once the app is installed it takes the links by universal links. Without applinks: they open the \
        browser.
        """,
        example: "an app without applinks:irl.app",
        mend: "Add applinks:HOST to the app's entitlements")
    case .hostMismatch:
      Page(
        .error,
        "A link opens the clip only if its host is in the clip's entitlements.",
        example: "an invocation of irl.app, and no entry for it",
        mend: "Add appclips:HOST to the clip, or mend the URL")
    case .hostPlaceholder:
      Page(
        .error,
        "The host is one of a template or of documents, and not yours.",
        example: "yourapp.com, example.com",
        mend: "Use a host that you own")
    case .domainSyntax:
      Page(
        .error,
        "An associated domain is a service, a colon and a host: no scheme, path, slash or port.",
        example: "appclips:https://irl.app/, appclips:irl.app:443",
        mend: "Write it as SERVICE:HOST")
    case .domainWildcard:
      Page(
        .error,
        "A wildcard is not allowed with appclips:.",
        example: "appclips:*.irl.app",
        mend: "Name each host")
    case .developerMode:
      Page(
        .warning,
        "mode=developer bypasses Apple's copies of the site, and works with development signing only.",
        example: "appclips:irl.app?mode=developer",
        mend: "Remove it for the release")
    case .groupMissing:
      Page(
        .error,
        "What the clip leaves in its App Group is found only if the app is in the group too.",
        example: "a group in one target only",
        mend: "Add the group to both")
    case .groupMismatch:
      Page(
        .error,
        "Both targets and the code must name the same App Group.",
        example: "no group that both have, or another in the code",
        mend: "Use one group everywhere")
    case .groupPrefix:
      Page(
        .error,
        "The id of an App Group begins with group.",
        example: "app.irl.IRL",
        mend: "Put group. in front")
    case .parentIdentifier:
      Page(
        .error,
        "parent-application-identifiers names the app that the clip belongs to, and nothing else.",
        example: "none, two, or another app's",
        mend: "Name the app's id, once")
    case .associatedClipIdentifier:
      Page(
        .error,
        "associated-appclip-app-identifiers names the app's one clip. Xcode adds it when it archives.",
        example: "another clip's id",
        mend: "Name this clip's id, or remove the key")
    case .onDemandMissing:
      Page(
        .error,
        "A target without on-demand-install-capable is not an App Clip.",
        example: "an entitlements file that was written anew without it",
        mend: "Set com.apple.developer.on-demand-install-capable to true")
    case .bundlePrefix:
      Page(
        .error,
        "The clip's bundle id is the app's, a dot, and more.",
        example: "com.a.App and com.a.Clip",
        mend: "Name the clip as com.a.App.Clip")
    case .sizeLimit:
      Page(
        .error,
        """
        The uncompressed size of a clip is limited by its deployment target: 10 MB before iOS 16, 15 MB with 16, \
        100 MB from 17 on.
        """,
        example: "15 MB with deployment target 15.1",
        mend: "Make it smaller, or raise the deployment target")
    case .sizePhysical:
      Page(
        .error,
        "A clip over 15 MB is opened by digital invocations only: by no QR code, NFC tag or App Clip Code.",
        example: "20 MB and a QR code",
        mend: "Make it 15 MB or smaller, or do without codes and tags")
    case .aasaAbsent:
      Page(
        .error,
        "The system asks each host for its apple-app-site-association file, and opens nothing without it.",
        example: "no file for an invocation host",
        mend: "Add sites/HOST/.well-known/apple-app-site-association")
    case .aasaJson:
      Page(
        .error,
        "The file is one JSON object in UTF-8.",
        example: "a comment, a list, a page of HTML, a byte order mark",
        mend: "Write one JSON object")
    case .aasaServed:
      Page(
        .error,
        "The file is served at its very URL with status 200: no redirect is followed.",
        example: "301 to www., 404",
        mend: "Serve it with status 200 at that URL")
    case .aasaName:
      Page(
        .error,
        "The file is .well-known/apple-app-site-association, without extension.",
        example: "apple-app-site-association.json, or outside .well-known",
        mend: "Use the exact name and place")
    case .aasaContentType:
      Page(
        .warning,
        "Guides of Apple's ask for application/json, and some readers insist on it.",
        example: "application/octet-stream",
        mend: "Serve it as application/json")
    case .aasaSize:
      Page(
        .error,
        "The file has at most 131,072 bytes.",
        example: "a list of every page",
        mend: "Use fewer and wider patterns")
    case .aasaClipMissing:
      Page(
        .error,
        "The clip is opened only if appclips.apps lists the clip's id. The app's id does not belong there.",
        example: "the app's id in appclips.apps",
        mend: "List the clip's id, and it alone")
    case .aasaAppIDSyntax:
      Page(
        .error,
        "An application id is a prefix of ten characters, a dot, and the bundle id.",
        example: "com.a.App.Clip, TEAMID.com.a.App",
        mend: "Put the ten characters and a dot in front")
    case .aasaAppclipsDetails:
      Page(
        .warning,
        "details belongs to applinks. Under appclips nothing reads it.",
        example: "details under appclips",
        mend: "Remove it")
    case .aasaClipInApplinks:
      Page(
        .warning,
        "applinks is for the app: a clip takes no universal links.",
        example: "the clip's id in applinks",
        mend: "List the app's id alone")
    case .aasaLegacyApps:
      Page(
        .note,
        "applinks.apps was required once, and is read no more.",
        example: #""apps": [] under applinks"#,
        mend: "Remove it")
    case .aasaLegacyFormat:
      Page(
        .note,
        "appID with paths and without components is the format before iOS 13.",
        example: #""appID" and "paths""#,
        mend: "Use appIDs with components")
    case .aasaMixedFormat:
      Page(
        .error,
        """
        Systems before iOS 13 do not know appIDs, and later ones want components with it. Beside components, paths may \
        be kept for the older ones; later ones ignore it there.
        """,
        example: #""appIDs" with "paths" and no "components""#,
        mend: "Use appIDs with components")
    case .aasaPathBare:
      Page(
        .warning,
        "A pattern /x/* does not match /x.",
        example: "/clip/* for /clip",
        mend: "Add the path without its slash too")
    case .aasaPathWide:
      Page(
        .warning,
        "A letter or digit before the * at the end lets in every path that begins so.",
        example: "/clip*, which takes /clipboard",
        mend: "Write /clip and /clip/* instead")
    case .aasaCase:
      Page(
        .warning,
        "Patterns are case-sensitive.",
        example: "/Claim/* for /claim/4711",
        mend: "Write the path in the same case")
    case .aasaUncovered:
      Page(
        .warning,
        "A link that no pattern takes, or that one excludes, opens the browser even if the app is installed.",
        example: "no pattern for an invocation URL",
        mend: "Add a pattern, or put the one that takes it first")
    case .aasaUnreachable:
      Page(
        .warning,
        "The first pattern that matches decides. One behind it that matches no more never does.",
        example: "a pattern behind /*",
        mend: "Put the narrower pattern first, or remove it")
    case .aasaPatternSyntax:
      Page(
        .error,
        "A pattern is a path with * and ? in it, and begins with a slash. It is not a regular expression.",
        example: "/claim/{id}, /claim/.*, **",
        mend: "Use * and ? only")
    case .aasaVariable:
      Page(
        .error,
        """
        A variable is defined under substitutionVariables, or is one of alpha, upper, lower, alnum, digit, \
        xdigit, region and lang. Its values have no variables in them.
        """,
        example: "$(uuid) undefined",
        mend: "Define it, or write the values out")
    case .redirectTarget:
      Page(
        .warning,
        "Each host on the way of a redirect needs its own entitlement, file and experience.",
        example: "a short host that leads to one that is not associated",
        mend: "Associate both hosts")
    case .registeredQuery:
      Page(
        .warning,
        "Whether a query of a registered URL counts is not documented.",
        example: "https://irl.app/claim?x=1",
        mend: "Register the path alone")
    case .bannerAppID:
      Page(
        .error,
        "app-id is the number of the App Store, and app-clip-bundle-id this clip's bundle id.",
        example: "app-id=xyz.blueskyweb.app",
        mend: "Use the number, and this clip's bundle id")
    case .bannerArgument:
      Page(
        .note,
        "app-argument does not reach a clip, which gets the page's URL.",
        example: "app-argument=…",
        mend: "Put what the clip needs into the page's URL")
    case .debugURL:
      Page(
        .warning,
        "A debug URL that no experience takes shows what no person ever sees.",
        example: "_XCAppClipURL for another host",
        mend: "Use a URL of an experience")
    case .buildSetting:
      Page(
        .note,
        "Xcode replaces a build setting when it builds. Its value is in none of the files that are read here.",
        example: "appclips:$(HOST), group.${NAME}",
        mend: "Look up the value in Xcode: what depends on it was not checked")
    case .unreadable:
      Page(
        .error,
        "What cannot be read cannot be checked.",
        example: "a property list that breaks off, a link out of the folder",
        mend: "Mend the file, or take it out of the folder")
    }
  }
}
