import CLibFuzzer
import Glibc

/// Runs the target's `LLVMFuzzerTestOneInput` with libFuzzer's options, as the command line gives them.
///
/// SwiftPM insists on a main function of the module's own, so libFuzzer's is not used.
public func runFuzzer() -> Never {
  var count = CommandLine.argc
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
  exit(LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput))
}
