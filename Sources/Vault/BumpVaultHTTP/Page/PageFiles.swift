/// The files of the pages, which SwiftPM embeds in this module: the folder Page/Files. No other code names
/// `PackageResources`, which SwiftPM generates.
enum PageFiles {
  /// The content of each file by its name.
  static let embedded: [String: [UInt8]] = [
    "claim.html": PackageResources.claim_html, "sent.html": PackageResources.sent_html,
    "en.json": PackageResources.en_json, "de.json": PackageResources.de_json,
    "page.css": PackageResources.page_css, "icon.svg": PackageResources.icon_svg,
    "claim.js": PackageResources.claim_js, "sent.js": PackageResources.sent_js, "keys.js": PackageResources.keys_js,
  ]
}
