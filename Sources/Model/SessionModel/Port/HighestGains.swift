extension Port {
  /// The highest gain of an input's trim and width from now on, in dB: for a sound in both channels, or in one if the input is wide.
  public func highestGainOfChannels(at time: Double) -> Double {
    trim.highestNumber(at: time) + (isStereo ? width.highestOfWidth(at: time) : 0)
  }

  /// By how many dB an output in mono plays louder what both of its channels have in common; 0 for another one.
  public var gainOfMono: Double {
    isStereo && section.isMono ? Decibels.exact(amplitude: 2.0.squareRoot()) : 0
  }
}

extension Control {
  /// The highest value from now on, for a control that is no level.
  fileprivate func highestNumber(at time: Double) -> Double { max(target, value(at: time, isLevel: false)) }

  /// By how many dB a width makes a sound of one channel louder at most; 0 up to the width 1.
  public func highestOfWidth(at time: Double) -> Double {
    Decibels.exact(amplitude: (1 + max(1, highestNumber(at: time))) / 2)
  }
}
