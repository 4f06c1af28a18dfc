import Testing

/// Real processes on this machine's own loopback, among attacks.
@Suite struct HostileTests {}
