/// A time in OSC: NTP time, which is seconds since 1900 and binary fractions of a second.
public struct OSCTimetag: Hashable, Sendable, Comparable {
  /// Whole seconds since 1 January 1900, UTC.
  public let seconds: UInt32

  /// The fraction of a second, in units of 2^-32 s.
  public let fraction: UInt32

  /// The reserved value 0.1 that means "now" (OSC 1.0, section "Temporal Semantics").
  public static let immediately = OSCTimetag(seconds: 0, fraction: 1)

  /// Seconds from 1 January 1900 to 1 January 1970 (RFC 868).
  private static let unixEpoch: Double = 2_208_988_800

  /// Makes a timetag from its two halves.
  public init(seconds: UInt32, fraction: UInt32) {
    self.seconds = seconds
    self.fraction = fraction
  }

  /// Converts seconds since 1970. A time outside 1900 to 2036 becomes the nearest limit.
  public init(unixTime: Double) {
    let time = unixTime + Self.unixEpoch
    guard time > 0 else {
      self = .immediately
      return
    }
    guard time < 4_294_967_296 else {
      self.init(seconds: .max, fraction: .max)
      return
    }
    let whole = time.rounded(.down)
    self.init(seconds: UInt32(whole), fraction: UInt32((time - whole) * 4_294_967_296))
  }

  /// Seconds since 1 January 1970, UTC.
  public var unixTime: Double {
    Double(seconds) - Self.unixEpoch + Double(fraction) / 4_294_967_296
  }

  /// Whether the timetag means "now": the reserved value, or zero, which some senders use.
  public var isImmediate: Bool { seconds == 0 && fraction <= 1 }

  public static func < (left: Self, right: Self) -> Bool {
    (left.seconds, left.fraction) < (right.seconds, right.fraction)
  }
}
