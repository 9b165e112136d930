/// The volume and mute that the desktop's mixer has set for a device or program. The audio server applies them outside of the router.
public struct DesktopVolume: Equatable, Sendable {
  /// The volume as mixers show it: 100 changes nothing, 0 is silence.
  public var percent: Int
  public var isMuted: Bool
  public init(percent: Int, isMuted: Bool) { (self.percent, self.isMuted) = (percent, isMuted) }

  /// The volume that changes nothing.
  public static let full = Self(percent: 100, isMuted: false)

  /// Whether nothing is heard.
  public var isSilent: Bool { isMuted || percent <= 0 }

  /// What the mixer does, for the operator: `turned down to 30 % in the desktop's mixer`; nil if it changes nothing.
  public var effect: String? {
    let mixer = "in the desktop's mixer"
    if isMuted { return "muted \(mixer)" }
    return switch percent {
    case ..<100: "turned down to \(percent) % \(mixer)"
    case 100: nil
    default: "turned up to \(percent) % \(mixer)"
    }
  }
}

/// A program that feeds a stream, with its volume in the desktop's mixer.
public struct ProgramVolume: Equatable, Sendable {
  /// The name of the program's JACK client.
  public var program: String
  public var volume: DesktopVolume
  public init(_ program: String, _ volume: DesktopVolume) { (self.program, self.volume) = (program, volume) }
}
