import BumpCards

/// Any bytes as a card, as a picture and as a link: what is read keeps the limits, and reads the same again once it is
/// written.
func fuzzVCards(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  if let dimensions = ImageHeader(bytes)?.dimensions {
    check(dimensions.width > 0 && dimensions.height > 0, "a picture of no size")
  }
  if let link = WebLink(bytes) { check(link.text.utf8.elementsEqual(bytes), "a link that was changed") }
  guard let reading = try? VCard.read(bytes) else { return }
  let card = reading.card
  check(!card.formattedName.isEmpty, "a card without a name")
  check((card.photo?.bytes.count ?? 0) <= CardLimits.photo, "a photo that is too large")
  check(Set(reading.warnings).count == reading.warnings.count, "a warning that is told twice")
  let texts = [card.formattedName, card.title ?? ""] + card.organization + card.telephones + card.emails
  check(texts.allSatisfy { $0.utf8.count <= CardLimits.text * 6 }, "a text that is too long")
  check(texts.allSatisfy { !$0.utf8.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A } }, "a control character")
  if let written = try? card.written() {
    check((try? VCard.read(written))?.card == card, "a card that does not read as it was written")
  }
}
