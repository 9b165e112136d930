public import SessionModel

/// The right to control the sends into one output, and the level of that output.
public struct MixToken: Equatable, Sendable {
  /// Counts from 1; another token never gets it.
  public let id: Int
  /// The name for people.
  public let name: String
  public let output: PortID
  /// When the right ends, in seconds since 1970.
  public let end: Double
  /// The hash of the secret. The secret itself is kept nowhere.
  public let hash: String

  public init(id: Int, name: String, output: PortID, end: Double, hash: String) {
    (self.id, self.name, self.output, self.end, self.hash) = (id, name, output, end, hash)
  }
}
