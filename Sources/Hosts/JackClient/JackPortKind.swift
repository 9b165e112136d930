/// The kind of a port (`enum JackPortFlags`).
public struct JackPortKind: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Sound goes into it; a device's playback port is one.
  public static let input = Self(rawValue: 0x1)
  /// Sound comes out of it; a device's capture port is one.
  public static let output = Self(rawValue: 0x2)
  /// It belongs to a device.
  public static let physical = Self(rawValue: 0x4)
  /// Sound begins or ends at this port.
  public static let terminal = Self(rawValue: 0x10)
}

/// The smallest and largest latency over all paths through a port, in frames.
public struct JackLatencyRange: Hashable, Sendable {
  public var minimum: Int
  public var maximum: Int
  public init(_ minimum: Int, _ maximum: Int) { (self.minimum, self.maximum) = (minimum, maximum) }
}

/// The direction in which latency is counted.
public enum JackLatencyMode: Sendable {
  /// From the outside world to the port.
  case capture
  /// From the port to the outside world.
  case playback
}
