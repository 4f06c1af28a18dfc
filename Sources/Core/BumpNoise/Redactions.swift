public import BumpText

// Types that hold keys print as redacted. Declared here, so that their own files hold only the steps of the
// specification.
extension CipherState: Redacted {}
extension SymmetricState: Redacted {}
extension NoiseHandshake: Redacted {}
