import BumpKit

/// Any bytes as a name that a stranger chose: what is shown is one line of harmless characters, and tells all.
func fuzzNames(_ input: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: input, as: UTF8.self)
  let shown = VisibleText.of(text)
  checkHarmless(shown)
  check(unescaped(shown)?.elementsEqual(text.unicodeScalars) ?? false, "a text that cannot be told from what is shown")
  check(VisibleText.isPlain(text) == same(shown, text), "a plain text that is shown otherwise, or the reverse")
  let doubled = shown.unicodeScalars.map { $0 == "\\" ? "\\u{5c}" : String($0) }
  check(VisibleText.of(shown).unicodeScalars.elementsEqual(doubled.joined().unicodeScalars), "shown again otherwise")

  let (short, distinct) = InstanceName.shown(text)
  checkHarmless(short)
  checkHarmless(distinct)
  check(!short.isEmpty, "an instance that cannot be seen")
  check(distinct.unicodeScalars.starts(with: short.unicodeScalars), "two names for one instance")

  if let name = try? DisplayName(text) {
    checkHarmless(name.visible)
    checkHarmless("\(name)")
    check(!name.visible.isEmpty, "a name that cannot be seen")
    let instance = InstanceName(displayName: name, random: 0x0123_4567_89AB_CDEF).description
    check(instance.utf8.count <= WireLimits.instanceName, "an instance name of \(instance.utf8.count) bytes")
    check(instance.utf8.reversed().starts(with: "-0123456789abcdef".utf8.reversed()), "an instance name without digits")
  }
  if let own = try? DisplayName(own: text) { check(same(own.visible, text), "a name of our own that needs escaping") }
}

private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

private func checkHarmless(_ shown: String) {
  // The first has nothing to combine with.
  var (marks, previous): (Int, Unicode.Scalar) = (4, "a")
  for scalar in shown.unicodeScalars {
    let properties = scalar.properties
    defer { previous = scalar }
    if ["\u{200C}", "\u{200D}", "\u{FE0F}"].contains(scalar) {
      check(!previous.isASCII && !["\u{200C}", "\u{200D}"].contains(previous), "a joiner that joins nothing")
      check(scalar != "\u{FE0F}" || previous.properties.isEmoji, "a selector of no emoji")
      marks = 4
      continue
    }
    check(!properties.isBidiControl, "a direction control is shown")
    check(!properties.isDefaultIgnorableCodePoint, "an invisible character is shown")
    check(scalar == " " || !properties.isWhitespace, "white space other than the space is shown")
    check(!(0...0x1F).contains(scalar.value) && !(0x7F...0x9F).contains(scalar.value), "a control character is shown")
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      fatalError("U+\(String(scalar.value, radix: 16)) is shown")
    case .nonspacingMark, .enclosingMark:
      marks += 1
    default:
      marks = 0
    }
    check(marks <= 4, "more than four marks on one letter")
  }
  check(!shown.contains(where: \.isNewline), "more than one line")
}

/// The text behind what is shown; `nil` where a backslash begins no escape.
private func unescaped(_ shown: String) -> [Unicode.Scalar]? {
  var scalars: [Unicode.Scalar] = []
  var rest = Array(shown.unicodeScalars)[...]
  while let scalar = rest.popFirst() {
    guard scalar == "\\" else {
      scalars.append(scalar)
      continue
    }
    guard rest.popFirst() == "u", rest.popFirst() == "{" else { return nil }
    let digits = rest.prefix { $0 != "}" }
    rest = rest.dropFirst(digits.count)
    let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    guard rest.popFirst() == "}", let original = value.flatMap(Unicode.Scalar.init) else { return nil }
    scalars.append(original)
  }
  return scalars
}
