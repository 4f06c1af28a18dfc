import BumpText

/// The words of a message with a code: the code, and a sentence against phishing. Nothing else is in it, and no link: who
/// is used to links in such messages follows those of others, too.
package struct CodeLetter: Sendable, Redacted {
  /// The languages of the page.
  package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
  }

  package let subject: String
  package let plain: String
  package let html: String
  /// The text of an SMS. Its last line lets a phone offer the code on the pages of this host alone (the origin-bound
  /// one-time code format of the WICG).
  package let sms: String

  /// - Parameters:
  ///   - code: the digits.
  ///   - host: the host of the page that has asked for the code. It is the vault's own, from its configuration.
  package init(code: String, host: String, language: Language) {
    let warning: String
    switch language {
    case .english:
      subject = "Your code for \(host)"
      warning =
        "Enter this code only at \(host), in the browser in which you have asked for it, and tell it to nobody."
    case .german:
      subject = "Ihr Code für \(host)"
      warning =
        "Geben Sie diesen Code nur bei \(host) ein, in dem Browser, in dem Sie ihn angefordert haben, und nennen Sie ihn niemandem."
    }
    plain = "\(code)\n\n\(warning)\n"
    sms = "\(code)\n\(warning)\n\n@\(host) #\(code)\n"
    html = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head><meta charset="utf-8"><title>\(Self.escaped(subject))</title></head>
      <body>
      <p style="font: bold 2em monospace; letter-spacing: 0.1em">\(Self.escaped(code))</p>
      <p>\(Self.escaped(warning))</p>
      </body>
      </html>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
