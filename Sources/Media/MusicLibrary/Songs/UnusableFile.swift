/// A file with the name of a sound or a playlist that the library cannot use.
public struct UnusableFile: Equatable, Sendable {
  public var name: String
  /// The end of a sentence about the file, without a full stop.
  public var reason: String
}
