import BumpKit

/// HELLO and WELCOME with any body: what parses is encoded as it came, and what does not is refused for its reason.
func fuzzHandshake(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let hello = frame(.hello, bytes)
  let welcome = frame(.welcome, bytes)

  switch Hello.parse(hello) {
  case .success(let parsed):
    check(parsed.frame == hello, "a HELLO that has another encoding")
  case .failure(let reason):
    check(reason == (isOurs(hello) ? .version : .protocolError), "a HELLO refused as \(reason)")
    check(!isOurs(hello) || !isSpoken(hello), "a HELLO of ours refused")
  }

  switch Welcome.parse(welcome) {
  case .success(let parsed):
    check(parsed.frame == welcome, "a WELCOME that has another encoding")
    check(parsed.mode == .key || parsed.keyHint.allSatisfy { $0 == 0 }, "a key hint where there is no key")
  case .failure(.version):
    check(isOurs(welcome) && !isSpoken(welcome), "a version refused that is ours")
  case .failure(.mode):
    check(isOurs(welcome) && Mode(rawValue: welcome.body[5]) == nil, "a mode refused that is known")
  case .failure(let reason):
    check(reason == .protocolError, "a WELCOME refused as \(reason)")
    check(!isOurs(welcome) || welcome.body.suffix(8).contains { $0 != 0 }, "a WELCOME of ours refused")
  }

  check((try? Hello.parse(welcome).get()) == nil, "a WELCOME taken for a HELLO")
  check((try? Welcome.parse(hello).get()) == nil, "a HELLO taken for a WELCOME")
}

private func isSpoken(_ frame: Frame) -> Bool { frame.body[4] == ProtocolVersion.current }

private func isOurs(_ frame: Frame) -> Bool { frame.body.starts(with: "BUMP".utf8) }

/// A frame of the type's length: the bytes, cut or filled with zeros.
private func frame(_ type: FrameType, _ bytes: [UInt8]) -> Frame {
  let length = type.lengths(in: .open).lowerBound - 1
  return Frame(type, Array((bytes + [UInt8](repeating: 0, count: length)).prefix(length)))
}
