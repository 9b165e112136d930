import Glibc

/// A value that a person sets and a fade may move: a level in dB, or a number.
///
/// It has no clock: whoever asks says what time it is, in seconds of the router's own monotonic time.
public struct Control: Equatable, Sendable {
  /// Where the value is, or where its fade ends.
  public private(set) var target: Double
  /// The value of the preset in force, to which `/reset` returns.
  public var stored: Double
  /// The fade that is under way, or the last one.
  public var fade: Fade? { if case .fade(let fade) = motion { fade } else { nil } }
  private var motion = Motion.rest
  /// Counts sets and fades, so that the audio thread sees the newest even if its value is the same.
  public private(set) var revision: UInt32 = 0

  /// A value that is at rest, and its own stored value.
  public init(_ value: Double) { (target, stored) = (value, value) }

  /// The value at a time, along the fade's curve.
  public func value(at time: Double, isLevel: Bool) -> Double {
    guard let fade, time < fade.end else { return target }
    return fade.value(to: target, at: time, isLevel: isLevel)
  }

  /// Whether a fade is moving the value.
  public func isFading(at time: Double) -> Bool { fade.map { time < $0.end } ?? false }

  /// Moves at once; any fade ends.
  public mutating func set(_ value: Double) {
    (target, motion) = (value, .rest)
    revision &+= 1
  }

  /// Moves over `seconds`, from wherever the value is now.
  public mutating func fade(
    to value: Double, over seconds: Double, curve: FadeCurve, at time: Double, isLevel: Bool
  ) {
    let from = self.value(at: time, isLevel: isLevel)
    (target, motion) = (value, .fade(Fade(from: from, start: time, seconds: seconds, curve: curve)))
    revision &+= 1
  }

  /// Fades are rare and controls are many, so a fade stands apart.
  private enum Motion: Equatable {
    case rest
    indirect case fade(Fade)
  }
}

/// How a fade runs between its ends.
public enum FadeCurve: String, CaseIterable, Sendable {
  /// Constant speed along the fader's travel.
  case fader
  /// Constant speed in amplitude.
  case linear
  /// Along the fader's travel, slow at both ends.
  case sCurve
}

/// A fade that began.
public struct Fade: Equatable, Sendable {
  public let from: Double
  /// Seconds of the router's time.
  public let start: Double
  public let seconds: Double
  public let curve: FadeCurve

  /// When the value reaches its target.
  public var end: Double { start + seconds }

  /// The value on the way; levels along the fader or in amplitude, plain numbers along themselves.
  func value(to target: Double, at time: Double, isLevel: Bool) -> Double {
    let progress = min(max((time - start) / seconds, 0), 1)
    let share = curve == .sCurve ? 0.5 - 0.5 * cos(.pi * progress) : progress
    guard isLevel else { return from + (target - from) * share }
    let (first, last) = (Decibels(from), Decibels(target))
    if curve == .linear {
      let (low, high) = (Double(first.amplitude), Double(last.amplitude))
      return Decibels(amplitude: low + (high - low) * share).value
    }
    return Decibels(fader: first.fader + (last.fader - first.fader) * share).value
  }
}
