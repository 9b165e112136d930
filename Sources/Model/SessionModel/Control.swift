import Maths

/// A value that a command sets or fades: a level in dB, or another number.
///
/// A control has no clock. The caller passes the time, in seconds of the router's monotonic time.
public struct Control: Equatable, Sendable {
  /// The value, or the value at the end of the fade that runs.
  public private(set) var target: Double
  /// The value of the preset in force, to which `/reset` returns.
  public var stored: Double
  /// The fade that runs, or the last one if it has ended.
  public var fade: Fade? { if case .fade(let fade) = motion { fade } else { nil } }
  private var motion = Motion.rest
  /// Number of sets and fades so far. The audio thread follows every new number, even if the value is the same.
  public private(set) var revision: UInt32 = 0

  /// Longest fade in seconds.
  public static let longestFade = 600.0

  /// Makes a control that is at rest and whose stored value is this one.
  public init(_ value: Double) { (target, stored) = (value, value) }

  /// The value at a time, on the fade's curve if one runs.
  /// - Parameter isLevel: whether the value is a level in dB, which fades along the fader's travel.
  public func value(at time: Double, isLevel: Bool) -> Double {
    guard let fade, time < fade.end else { return target }
    return fade.value(to: target, at: time, isLevel: isLevel)
  }

  /// Whether a fade runs at this time.
  public func isFading(at time: Double) -> Bool { fade.map { time < $0.end } ?? false }

  /// Sets the value at once; a fade that runs ends.
  public mutating func set(_ value: Double) {
    (target, motion) = (value, .rest)
    revision &+= 1
  }

  /// Moves to a value over a fade time in seconds, from the value at this time; a fade time of 0 moves at once.
  public mutating func fade(
    to value: Double, over seconds: Double, curve: FadeCurve, at time: Double, isLevel: Bool
  ) {
    guard seconds > 0 else { return set(value) }
    let from = self.value(at: time, isLevel: isLevel)
    (target, motion) = (value, .fade(Fade(from: from, start: time, seconds: seconds, curve: curve)))
    revision &+= 1
  }

  /// Whether the last fade began at a time.
  func begins(at time: Double) -> Bool { fade?.start == time }

  /// Lets a fade that began at one time begin at another one.
  mutating func moveStart(from old: Double, to new: Double) {
    guard let fade, fade.start == old else { return }
    motion = .fade(Fade(from: fade.from, start: new, seconds: fade.seconds, curve: fade.curve))
  }

  /// There are many controls and few fades, so a fade is stored apart from its control.
  private enum Motion: Equatable {
    case rest
    indirect case fade(Fade)
  }
}

/// The curve of a fade between its ends.
public enum FadeCurve: String, CaseIterable, Sendable {
  /// The fader moves at constant speed.
  case fader
  /// The amplitude changes at constant speed.
  case linear
  /// The fader moves slowly at both ends and faster in between.
  case sCurve
}

/// A fade that runs, or has run.
public struct Fade: Equatable, Sendable {
  /// The value at the beginning.
  public let from: Double
  /// When the fade began, in seconds of the router's time.
  public let start: Double
  public let seconds: Double
  public let curve: FadeCurve

  /// When the fade ends, in seconds of the router's time.
  public var end: Double { start + seconds }

  /// The value at a time. A level follows the curve; the curve `sCurve` also eases other numbers, which are otherwise linear.
  func value(to target: Double, at time: Double, isLevel: Bool) -> Double {
    guard time > start else { return isLevel ? Decibels(from).value : from }
    let progress = min((time - start) / seconds, 1)
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
