public import BumpClaims

// Types that hold keys print as redacted. Declared here, so that their own files hold only the steps of the two
// specifications.
extension CipherState: Redacted {}
extension SymmetricState: Redacted {}
extension NoiseHandshake: Redacted {}
extension SecureChannel: Redacted {}
extension CPace: Redacted {}
extension Opening: Redacted {}
