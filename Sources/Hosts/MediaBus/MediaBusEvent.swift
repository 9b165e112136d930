/// A player of another program, as the desktop knows it.
public struct ForeignPlayer: Hashable, Sendable {
  /// Its name on the bus, such as `org.mpris.MediaPlayer2.vlc`.
  public var busName: String
  /// The name that people see; that of the bus until the player has told its own.
  public var identity: String
  public var status: NowPlaying.Status
}

/// What happens on the session bus.
public enum MediaBusEvent: Equatable, Sendable {
  /// The router is a media player of this name.
  case connected(name: String)
  /// There is no bus; a sentence that says why. It is told once until there is one.
  case absent(String)
  /// The other player that played last, or its new state; nil if no other player has played.
  case foreign(ForeignPlayer?)
  /// The other player refused a request; a sentence that says why.
  case refused(String)
}
