/// The value of a parameter, as surfaces, presets and the state exchange it.
public enum Value: Equatable, Sendable {
  /// Levels in dB, times in seconds, frequencies in Hz.
  case number(Double)
  case integer(Int)
  case flag(Bool)
  case text(String)
  case texts([String])
  case numbers([Float])
}
