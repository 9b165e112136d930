/// The fold-down of a surround program into a stereo stream (ITU-R BS.775-3, annex 4, table 2).
///
/// JACK sums what is connected to a port without a factor. So a stream that folds has further ports behind its two channels, one for each factor.
/// The low-frequency channel is left out, as the recommendation says.
public enum FoldDown {
  /// A further port of a stereo stream, with the factors in its two channels.
  struct FurtherPort {
    var name: String
    var left: Float
    var right: Float
  }

  private static let lower = Float(0.5).squareRoot()

  private static let furtherPorts = [
    FurtherPort(name: "centre", left: lower, right: lower),
    FurtherPort(name: "surround left", left: lower, right: 0),
    FurtherPort(name: "surround right", left: 0, right: lower),
    FurtherPort(name: "surround", left: 0.5, right: 0.5),
  ]

  /// The channels of a stream that can fold.
  static let width = 2

  /// The channels of the further ports, counted from 1.
  public static let furtherChannels = width + 1...width + furtherPorts.count

  /// The channel whose port takes a loudspeaker; nil for one that is left out.
  static func channel(of speaker: Loudspeaker) -> Int? {
    switch speaker {
    case .frontLeft: 1
    case .frontRight: 2
    case .frontCenter: 3
    case .frontLeftOfCenter, .rearLeft, .sideLeft: 4
    case .frontRightOfCenter, .rearRight, .sideRight: 5
    case .rearCenter: 6
    case .lowFrequency: nil
    }
  }

  /// The name of a channel for people: its number, or that of the loudspeakers of a further port.
  public static func name(of channel: Int, width: Int) -> String {
    let index = channel - width - 1
    return width == Self.width && furtherPorts.indices.contains(index)
      ? furtherPorts[index].name : "\(channel)"
  }

  /// The factor of a further port in a channel of its stream; 0 for a channel that is no further port.
  public static func factor(of further: Int, in channel: Int) -> Float {
    guard furtherChannels.contains(further) else { return 0 }
    let port = furtherPorts[further - width - 1]
    return channel == 1 ? port.left : port.right
  }

  /// Whether ports are those of a surround program: each is for a loudspeaker of its own, and there are more than the two at the front.
  static func applies(to ports: [String]) -> Bool {
    guard ports.count > width else { return false }
    let speakers = Set(ports.compactMap { Loudspeaker(ofPort: $0) })
    return speakers.count == ports.count && speakers.isSuperset(of: [.frontLeft, .frontRight])
  }
}
