import Glibc

/// The words for a secret file that is not read, whatever the secret.
extension PrivateFile.Failure {
  /// What is wrong with the file, as a predicate after its name: "is not a regular file".
  package var refusal: String {
    switch self {
    case .belongs(let owner): "belongs to \(Self.name(of: owner)), and must be yours or root's"
    case .othersMayRead: "can be read by others"
    case .moreThanItsGroupMayRead: "can be read by others, or written by its group"
    case .isLarger(let limit): "is larger than \(limit) bytes"
    case .isNoRegularFile: "is not a regular file"
    case .cannotOpen, .cannotMake, .cannotWrite: "cannot be read: \(reason)"
    }
  }

  /// The command that may fix it, word by word; `nil` if there is none.
  package func remedy(for path: String) -> [String]? {
    switch self {
    case .othersMayRead: ["chmod", "600", path]
    case .moreThanItsGroupMayRead: ["chmod", "640", path]
    default: nil
    }
  }

  private static func name(of user: uid_t) -> String {
    getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "the user \(user)"
  }
}
