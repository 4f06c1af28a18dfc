import Foundation
import Glibc
import Testing

/// Discovery on networks of its own. Serial, because a process has one system bus.
@Suite(
  .serialized,
  .enabled(
    if: geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true",
    "a live test makes namespaces, and for that it must run as root"), .timeLimit(.minutes(1)))
enum LiveTests {}
