import BumpClaims
public import BumpText

// Types that hold keys print as redacted. Declared here, so that their own files hold only the steps of the two
// specifications.
extension SecureChannel: Redacted {}
extension CPace: Redacted {}
extension HandshakePrologue: Redacted {}
