/// A port at the audio server that is not ours, as the server describes it.
public struct SystemPort: Hashable, Sendable {
  /// Full name, `client:port`.
  public var name: String
  /// Up to two other names.
  public var aliases: [String]
  /// Whether sound goes into it (a playback port is an input).
  public var isInput: Bool
  public var isPhysical: Bool
  public var isTerminal: Bool
  public init(
    name: String, aliases: [String] = [], isInput: Bool, isPhysical: Bool = false,
    isTerminal: Bool = false
  ) {
    (self.name, self.aliases, self.isInput) = (name, aliases, isInput)
    (self.isPhysical, self.isTerminal) = (isPhysical, isTerminal)
  }

  /// The part before the first colon.
  public var client: Substring { name.prefix { $0 != ":" } }
}
