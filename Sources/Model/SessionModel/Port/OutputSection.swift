/// What an output does with its mix before its own level, as the section of a desk.
public struct OutputSection: Equatable, Sendable {
  /// Whether the output is dimmed.
  public var isDimmed = false
  /// The level of a dimmed output in dB, -60 to 0.
  public var dimLevel = -20.0
  /// Whether both channels get the sum of both, by 1/sqrt(2).
  public var isMono = false
  /// Whether each channel gets the sound of the other one.
  public var isSwapped = false
  /// -1 (left) to 1 (right); 0 changes nothing.
  public var balance = Control(0)

  public init() {}

  /// The dB that a dim adds to the output's level now.
  public var dim: Double { isDimmed ? dimLevel : 0 }

  /// Where the sound for a channel goes, with its factor there. Mono stands behind the swap, which it hides.
  func places(of channel: Int) -> [ChannelPlace] {
    if isMono { return [1, 2].map { ChannelPlace(channel: $0, factor: Float(0.5).squareRoot()) } }
    return [ChannelPlace(channel: isSwapped ? 3 - channel : channel, factor: 1)]
  }
}

/// A channel of an output that gets a sound, and the factor of the sound there.
public struct ChannelPlace: Equatable, Sendable {
  public var channel: Int
  public var factor: Float
}

extension Port {
  /// Whether it has two channels, so that mono, swap, balance and width act.
  public var isStereo: Bool { channels == 2 }

  /// Where an output plays the sound for one of its channels.
  public func places(of channel: Int) -> [ChannelPlace] {
    var places = isStereo ? section.places(of: channel) : [ChannelPlace(channel: channel, factor: 1)]
    for index in places.indices { places[index].factor *= inverted.polarity(of: places[index].channel) }
    return places
  }

  /// Whether an output plays every channel's sound elsewhere, or with another sign.
  public var placesOtherwise: Bool { !inverted.isEmpty || isStereo && (section.isMono || section.isSwapped) }

  /// Whether the mix of another port has the same crosspoints and stages.
  public func isMixed(like other: Port) -> Bool {
    channels == other.channels && inverted == other.inverted
      && section.isMono == other.section.isMono && section.isSwapped == other.section.isSwapped
      && section.balance.isUsed == other.section.balance.isUsed
      && trim.isUsed == other.trim.isUsed && width.isUsed == other.width.isUsed
  }
}

extension Control {
  /// Whether a command or preset has set it. A mix has stages only for those optional controls that have been used; from then on they stay,
  /// because a stage that came and went with its value would click.
  public var isUsed: Bool { revision > 0 }
}
