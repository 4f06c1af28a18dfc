import BumpClip
import Foundation

/// LinkFigures router|values|foundation|parts taken|refused ROUNDS: routes the links of a list, or also reads their captured
/// values, or only has Foundation parse them, or also has it give out the parts that routing needs, so many times. Prints how
/// many links a round has, how many were taken in all, nanoseconds a link, and KiB of memory at the most.
@main
enum LinkFigures {
  private static let lists = [
    "taken": [
      "https://irl.app/claim/abc-_1",
      "https://irl.app/claim/CXA8d3TQVbEze8JGgmKemA#s=Cg74KJDt7w8x4AyoflMUZQ&a=1.00&t=USDC&x=1795387012",
      "https://roadflare.app/share/d/npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg",
      "https://roadflare.app/share/r/npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg",
      "https://bsky.app/start/alice.example/3kabc",
      "https://bsky.app/starter-pack/did:plc:ewvi7nxzyoun6zhxrhs64oiz/3kabc?clip=true",
      "https://go.bsky.app/AbC1",
      "https://orbiting.app/clip?text=hello%20there&theme=mono",
      "https://orbiting.app/clip",
      "https://yourapp.com/appclip/shared/0A1B2C3D-0000-4000-8000-00000000ABCD",
      // The value that they capture is not valid.
      "https://bsky.app/start/alice/3kabc",
      "https://yourapp.com/appclip/shared/0a1b2c3d",
    ],
    "refused": [
      "https://bsky.app/profile/alice.example",
      "https://bsky.app//start/alice.example/3kabc",
      "https://user@bsky.app/start/alice.example/3kabc",
      "https://bsky.app:8443/start/alice.example/3kabc",
      "https://www.example.org/a/long/path/that/nobody/takes?with=a&query=too#and-a-fragment",
      "http://irl.app/claim/abc-_1",
    ],
  ]

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4,
      let takes = ["router": route, "values": read, "foundation": parse, "parts": divide][arguments[1]],
      let links = lists[arguments[2]], let rounds = Int(arguments[3]), rounds > 0
    else {
      print("usage: LinkFigures router|values|foundation|parts taken|refused ROUNDS")
      exit(64)
    }
    let begin = ContinuousClock.now
    var count = 0
    for _ in 0..<rounds { for link in links where takes(link) { count += 1 } }
    let time = begin.duration(to: .now)
    let nanoseconds = time / .nanoseconds(1) / Double(rounds * links.count)
    print("\(links.count) \(count) \(nanoseconds) \(peak)")
  }

  private static let router = Experiences.builtIn.router

  private static func route(_ link: String) -> Bool {
    if case .match = router.route(link) { true } else { false }
  }

  private static func read(_ link: String) -> Bool {
    guard case .match(let match) = router.route(link) else { return false }
    return match.captured.count >= 0
  }

  private static func parse(_ link: String) -> Bool { URL(string: link) != nil }

  private static func divide(_ link: String) -> Bool {
    guard let url = URLComponents(string: link) else { return false }
    return url.host != nil && url.path.split(separator: "/").count + (url.queryItems ?? []).count > 0
  }

  /// VmHWM (proc_pid_status(5)).
  private static var peak: Int {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
