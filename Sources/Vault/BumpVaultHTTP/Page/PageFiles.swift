/// The files of the pages, which SwiftPM embeds in this module: the folder Page/Files. No other code names
/// `PackageResources`, which SwiftPM generates.
enum PageFiles {
  /// The content of each file by its name.
  static let embedded: [String: [UInt8]] = [
    "claim.html": PackageResources.claim_html, "claim.js": PackageResources.claim_js,
    "keys.js": PackageResources.keys_js, "page.css": PackageResources.page_css, "icon.svg": PackageResources.icon_svg,
    "en.json": PackageResources.en_json, "de.json": PackageResources.de_json,
    // What a vault on a chain takes beside those.
    "chain.js": PackageResources.chain_js, "chain.en.json": PackageResources.chain_en_json,
    "chain.de.json": PackageResources.chain_de_json,
    // What signing in and the wallet take beside those.
    "wallet.html": PackageResources.wallet_html, "wallet.css": PackageResources.wallet_css,
    "wallet.en.json": PackageResources.wallet_en_json, "wallet.de.json": PackageResources.wallet_de_json,
    "wallet.js": PackageResources.wallet_js, "sign-in.js": PackageResources.sign_in_js,
    "opening.js": PackageResources.opening_js, "account.js": PackageResources.account_js,
    "devices.js": PackageResources.devices_js, "send.js": PackageResources.send_js,
    "panel.js": PackageResources.panel_js, "seal.js": PackageResources.seal_js,
    "statements.js": PackageResources.statements_js, "qr.js": PackageResources.qr_js,
  ]
}
