import BumpClip

private let router = Experiences.builtIn.router

/// Any text as a URL that a phone opens: what an experience takes is short and plain, its query decides no experience, its
/// fragment nothing but what is in it, and what is handed over as a URL leads to itself.
func fuzzURLs(_ input: UnsafeBufferPointer<UInt8>) {
  guard let text = String(validating: input, as: UTF8.self) else { return }
  let route = router.route(text)
  if input.count > Router.limit { check(route == .none(.length), "a URL that is too long is read") }
  guard case .match(let match) = route else { return }
  check(input.allSatisfy { (0x21...0x7E).contains($0) }, "a URL with a character that none may have")
  let address = text.prefix { $0 != "#" }
  guard case .match(let plain) = router.route(String(address)) else {
    return check(false, "a URL that is another without its fragment")
  }
  check(plain.experience == match.experience && plain.captured == match.captured, "a fragment that decides")
  if case .match(let bare) = router.route(String(address.prefix { $0 != "?" })) {
    check(bare.experience == match.experience, "a query that decides")
  }
  for (name, value) in match.captured {
    check(!value.isEmpty && value.utf8.count <= Router.limit, "a captured value of no length that it may have")
    if match.product.id == "roadflare" { check(!value.contains("nsec1"), "a secret key that is captured") }
    // A text may begin like a URL too.
    guard name == match.experience.url else { continue }
    guard case .match(let again) = router.route(value) else { return check(false, "a captured URL that leads nowhere") }
    check(again.product == match.product && again.captured[name] == value, "a captured URL that leads elsewhere")
  }
}
