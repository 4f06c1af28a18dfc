import Glibc

/// Returns the meaning of an error number of errno(3), for a person: `permission denied`.
package func words(errno code: Int32) -> String { String(cString: strerror(code)).lowercased() }
