public import BumpWire

// What holds keys prints as redacted too. It says so here, so that the files beside it hold the two specifications' steps
// alone.
extension CipherState: Redacted {}
extension SymmetricState: Redacted {}
extension NoiseHandshake: Redacted {}
extension SecureChannel: Redacted {}
extension CPace: Redacted {}
extension Opening: Redacted {}
