/// A port of ours at the audio server, as the server's client knows it; opaque to everybody else.
public struct PortHandle: Hashable, Sendable {
  /// The bit pattern of the client's pointer.
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
