/// A package of the system, which each distribution calls by its own name.
public struct SystemPackage: Hashable, Sendable {
  private let names: [Distribution: String]

  /// - Parameters:
  ///   - debian: the name in Debian 12, and wherever no other name is given.
  ///   - debian13: the name in Debian 13, and in Ubuntu after 24.04.
  public init(
    _ debian: String, debian13: String? = nil, ubuntu22: String? = nil, ubuntu24: String? = nil,
    fedora: String
  ) {
    names = [
      .debian12: debian, .debian13: debian13 ?? debian, .ubuntu22: ubuntu22 ?? debian,
      .ubuntu24: ubuntu24 ?? debian,
      .fedora: fedora,
    ]
  }

  /// JACK's library of PipeWire.
  public static let pipeWireJack = SystemPackage(
    "pipewire-jack", fedora: "pipewire-jack-audio-connection-kit")

  /// The name in a distribution; Debian's if it is of another family.
  public func name(on distribution: Distribution? = .current) -> String { names[distribution ?? .debian13]! }

  /// What to do, as the end of a sentence, such as `install the package libsoxr0`.
  public func advice(on distribution: Distribution? = .current) -> String {
    let name = name(on: distribution)
    return distribution == nil
      ? "install it with the package manager of this system (the package \(name) of Debian)"
      : "install the package \(name)"
  }

  /// The command that installs the package.
  public func command(on distribution: Distribution? = .current) -> String {
    "sudo \(distribution == .fedora ? "dnf" : "apt") install \(name(on: distribution))"
  }
}
