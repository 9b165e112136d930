/// What the music library has, and how far a scan of the media folders is.
public struct LibraryFacts: Equatable, Sendable {
  /// How many songs it has.
  public var count = 0
  /// How much of the scan is done, 0 to 1; 1 while none runs.
  public var progress = 1.0
  public init(count: Int = 0, progress: Double = 1) { (self.count, self.progress) = (count, progress) }
}
