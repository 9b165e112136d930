/// How far the library is.
public struct LibraryStatus: Equatable, Sendable {
  /// Whether the media folders are being looked through.
  public var isScanning = false
  /// How much of them has been looked through, 0 to 1. It stays at 1 while changes are followed.
  public var progress = 0.0
  /// What keeps the library from being complete, as a sentence for the operator; nil if nothing does.
  public var problem: String?
  /// Files that were opened since the start. An unchanged file is not opened.
  public var opened = 0

  public init() {}
}
