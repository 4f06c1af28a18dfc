extension Phone {
  /// Takes a message from the web page that a product's App Clip shows. Any page in the view may post one, so a message
  /// counts only from the main frame of the product's own origin, and leaves nothing that the app would not take.
  ///
  /// - Parameters:
  ///   - message: the text that the page posted.
  ///   - origin: the scheme and host of the frame that posted the message, as `https://bsky.app`. A port is a part of
  ///     it.
  ///   - isMainFrame: whether the frame is the view's main frame.
  /// - Returns: what was left for the app; `nil` for `present` if there is nothing to hand over, as with a short link.
  /// - Throws: `PhoneError.input` for a message that does not count, and the errors of `handOver`.
  @discardableResult
  public func receive(
    _ message: String, from origin: String, isMainFrame: Bool, of product: Product, in router: Router
  ) throws(PhoneError) -> String? {
    guard let page = product.page else { throw PhoneError(.input, "the App Clip of \(product.name) shows no page") }
    guard isMainFrame, origin == page.origin else {
      throw PhoneError(.input, "only the main frame of \(page.origin) may post messages")
    }
    switch try PageMessage(message) {
    case .present:
      do {
        return try handOver(product)
      } catch {
        // The overlay is shown nevertheless.
        if error.code == .nothing { return nil }
        throw error
      }
    case .store(let key, let value):
      guard page.keys.contains(key) else { throw PhoneError(.input, "a page may not store under that key") }
      return try handOver(value, of: product, in: router)
    }
  }
}
