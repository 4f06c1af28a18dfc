import Glibc

/// Returns what an error number of errno(3) means, for a person: `permission denied`.
package func words(errno code: Int32) -> String { String(cString: strerror(code)).lowercased() }
