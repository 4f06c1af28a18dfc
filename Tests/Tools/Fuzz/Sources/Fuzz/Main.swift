import CLibFuzzer
import FuzzTargets
import Glibc

/// Gives libFuzzer's inputs to the target that FUZZ_TARGET names, with libFuzzer's options, as the command line gives them.
///
/// SwiftPM insists on a main function of the module's own, so libFuzzer's is not used.
@main enum Fuzzing {
  static let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

  static func main() {
    guard target != nil else { fatalError("FUZZ_TARGET names no target") }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, fuzzOne))
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzzing.target?.run(UnsafeBufferPointer(start: start, count: count))
  return 0
}
