/// A port of our own at the server: what libjack calls `jack_port_t *`.
public struct JackPort: Hashable, Sendable {
  /// The bit pattern of libjack's pointer.
  public let rawValue: UInt

  @_noLocks public init(rawValue: UInt) { self.rawValue = rawValue }

  init(_ pointer: OpaquePointer) { rawValue = UInt(bitPattern: pointer) }

  var pointer: OpaquePointer? { @_noLocks get { OpaquePointer(bitPattern: rawValue) } }
}

/// What a port is, as in `enum JackPortFlags`.
public struct JackPortKind: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Sound goes into it; a device's playback port is one.
  public static let input = Self(rawValue: 0x1)
  /// Sound comes out of it; a device's capture port is one.
  public static let output = Self(rawValue: 0x2)
  /// It belongs to a device.
  public static let physical = Self(rawValue: 0x4)
  /// Sound begins or ends there.
  public static let terminal = Self(rawValue: 0x10)
}

/// A port as the server describes it, ours or another's.
public struct JackPortDescription: Hashable, Sendable {
  /// Full name, `client:port`.
  public var name: String
  /// Up to two other names.
  public var aliases: [String]
  public var kind: JackPortKind
  /// The server's own number for it, which no later port gets.
  public var uuid: UInt64
  /// Whether this client registered it.
  public var isMine: Bool
}

/// Smallest and largest latency over all paths through a port, in frames.
public struct JackLatencyRange: Hashable, Sendable {
  public var minimum: Int
  public var maximum: Int
  public init(_ minimum: Int, _ maximum: Int) { (self.minimum, self.maximum) = (minimum, maximum) }
}

/// Which way latency is counted.
public enum JackLatencyMode: Sendable {
  /// From the outside world to the port.
  case capture
  /// From the port to the outside world.
  case playback
}
