/// A port of ours at the audio server, as the server's library knows it; opaque to the mix.
public struct PortHandle: Hashable, Sendable {
  /// The bit pattern of the library's pointer.
  public let rawValue: UInt
  @_noLocks public init(rawValue: UInt) { self.rawValue = rawValue }
}
