/// A picture of an album.
public struct CoverPicture: Equatable, Sendable {
  /// The media type, such as `image/jpeg`, as the file states it; it may be wrong.
  public var type: String
  public var bytes: [UInt8]

  public init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
}
