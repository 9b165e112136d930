/// Something that a player plays.
public struct PlayerItem: Hashable, Sendable {
  /// Distinguishes the items of a player; the caller chooses it.
  public var id: Int
  /// The path of a sound file, or the name from which the reader's `find` makes it.
  public var path: String
  /// How often it is played again after its end; -1 is without end.
  public var loops: Int

  public static let endless = -1

  public init(id: Int, path: String, loops: Int = 0) {
    (self.id, self.path, self.loops) = (id, path, loops)
  }
}
