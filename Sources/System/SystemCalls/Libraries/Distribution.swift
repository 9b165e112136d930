/// A distribution of Linux, as far as the names of its packages go.
public enum Distribution: Sendable, CaseIterable {
  case debian12, debian13, ubuntu22, ubuntu24, fedora

  /// The one that runs; nil if it is of another family.
  public static let current = Distribution(
    release: ["/etc/os-release", "/usr/lib/os-release"].lazy.map { WholeFile.lines($0) }.first { !$0.isEmpty }
      ?? [])

  /// Reads the lines of os-release(5). A later release than those that are known has the names of the latest one.
  public init?(release: [some StringProtocol]) {
    var fields: [String: String] = [:]
    for line in release {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: equals)...].filter { $0 != "\"" && $0 != "'" }
      fields[String(line[..<equals])] = String(value)
    }
    let families = [fields["ID"], fields["ID_LIKE"]].compactMap(\.self).joined(separator: " ").split(
      separator: " ")
    // A descendant has numbers and names of its own, and says from which release it comes.
    switch fields["UBUNTU_CODENAME"] ?? fields["DEBIAN_CODENAME"] ?? fields["VERSION_CODENAME"] {
    case "bookworm": self = .debian12
    case "jammy": self = .ubuntu22
    case "noble": self = .ubuntu24
    // Ubuntu after 24.04 has the libraries of Debian 13.
    default:
      if families.contains("debian") || families.contains("ubuntu") {
        self = .debian13
      } else if families.contains("fedora") || families.contains("rhel") {
        self = .fedora
      } else {
        return nil
      }
    }
  }
}
