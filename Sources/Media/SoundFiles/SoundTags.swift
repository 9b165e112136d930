/// What a sound file says about itself. A text that the file lacks is nil.
public struct SoundTags: Hashable, Sendable {
  public var title: String?
  public var artist: String?
  public var album: String?
  /// A year or a date, as the file writes it.
  public var date: String?
  /// The number in the album, such as `3` or `3/12`.
  public var track: String?
  public var genre: String?
  public var comment: String?

  public init() {}
}
