public import Queues
public import SessionModel

/// What the router's now-playing player does, for the desktop.
public struct NowPlaying: Equatable, Sendable {
  public enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  /// The present item.
  public struct Track: Equatable, Sendable {
    /// Tells this item from all others of all queues, also from another one of the same file. Any text.
    public var id: String
    public var title: String
    public var artists: [String]
    public var album: String
    /// Seconds; nil if unknown.
    public var length: Double?
    /// The absolute path of a picture.
    public var cover: String?

    public init(
      id: String, title: String, artists: [String] = [], album: String = "", length: Double? = nil,
      cover: String? = nil
    ) {
      (self.id, self.title, self.artists) = (id, title, artists)
      (self.album, self.length, self.cover) = (album, length, cover)
    }
  }

  /// A place in the track, and when the player was there.
  public struct Place: Equatable, Sendable {
    /// Seconds from the start of the track.
    public var seconds: Double
    /// Seconds of the monotonic clock.
    public var time: Double

    public init(seconds: Double, time: Double) { (self.seconds, self.time) = (seconds, time) }
  }

  public var status: Status
  public var track: Track?
  public var place: Place
  /// How fast the player plays while it plays.
  public var rate = 1.0
  /// The rates that it may be set to.
  public var rates = 0.25...4
  public var repeatMode = RepeatMode.none
  public var isShuffled = false
  public var gain = Decibels.unity
  public var canGoNext = false
  public var canGoPrevious = false
  public var canPlay = true
  public var canPause = true
  public var canSeek = true

  public init(_ status: Status, _ track: Track?, at place: Place) {
    (self.status, self.track, self.place) = (status, track, place)
  }

  /// Where the player is at a time, in seconds from the start of the track.
  func position(at time: Double) -> Double {
    guard track != nil else { return 0 }
    let moved = status == .playing ? (time - place.time) * rate : 0
    return max(0, min(place.seconds + moved, track?.length ?? .infinity))
  }
}
