import Testing

/// Real processes on this machine's own loopback, among attacks.
///
/// One test after another: each runs several processes at once already.
@Suite(.serialized) struct HostileTests {}
