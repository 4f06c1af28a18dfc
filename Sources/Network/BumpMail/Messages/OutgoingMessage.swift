import BumpText

/// A message to one recipient, in ASCII, with CR LF at the end of each line, none of which has more than 78 characters
/// (RFC 5322 §2.1.1), or 998 where an address is longer. It prints as `<redacted>`: it may contain a code.
package struct OutgoingMessage: Sendable, Redacted {
  package let sender: EnvelopeAddress
  package let recipient: EnvelopeAddress
  /// The header and the body.
  package let bytes: [UInt8]

  /// - Parameters:
  ///   - subject: the subject, of one line.
  ///   - plain: the text.
  ///   - html: the same text in HTML; `nil` for none.
  ///   - time: the time in seconds since 1970.
  ///   - id: random bytes, which make the message's id.
  package init(
    from sender: EnvelopeAddress, to recipient: EnvelopeAddress, subject: String, plain: String, html: String?,
    at time: Int64, id: [UInt8]
  ) {
    let id = Hex.text(id)
    // What is not shown as it is, such as a line feed, is escaped.
    let subject = MessageText.header(VisibleText.of(subject))
    var lines = [
      "Date: \(MessageDate.text(time))", "From: \(sender.text)", "To: \(recipient.text)", "Subject: \(subject)",
      "Message-ID: <\(id)@\(sender.domain)>", "MIME-Version: 1.0",
      // No answer of a holiday is wanted (RFC 3834 §5).
      "Auto-Submitted: auto-generated",
    ]
    if let html {
      // Quoted-printable never has the characters `=_` (RFC 2045 §6.7), so no text has the boundary in it.
      let boundary = "=_\(id.prefix(16))"
      lines += ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", ""]
      for (type, text) in [("plain", plain), ("html", html)] {
        lines += ["--\(boundary)"] + Self.part(type, text)
      }
      lines += ["--\(boundary)--", ""]
    } else {
      lines += Self.part("plain", plain)
    }
    self.sender = sender
    self.recipient = recipient
    bytes = Array(lines.joined(separator: "\r\n").utf8)
  }

  private static func part(_ type: String, _ text: String) -> [String] {
    [
      "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
      MessageText.quotedPrintable(text), "",
    ]
  }
}
