internal import MixKernel
internal import SessionModel

/// Which stage is which index on the audio thread, and where each shall go.
struct StageTable {
  /// Indices of the keys in use.
  private var indices: [StageKey: Int] = [:]
  /// Keys that the newest plans do not use any more, each with the plan that dropped it: until that plan is adopted the audio
  /// thread still plays the stage, and a key that comes back must find it there.
  private var leaving: [StageKey: (index: Int, serial: UInt64)] = [:]
  private var free: [Int] = []
  /// Keys in the order of the last levels, with their indices.
  private var order: [(key: StageKey, index: Int?)] = []
  private var identities: UInt64 = 1
  /// For each stage who it is (high half) and its revision (low half).
  private(set) var stamps: [UInt64] = [0, 0]
  private(set) var goals: [StageGoal] = [Self.closed, Self.open]

  /// Index of the stage that is always 0.
  static let closedIndex = 0
  /// Index of the stage that is always 1.
  static let openIndex = 1

  private static let closed = StageGoal(target: 0, initial: 0, frames: 1, curve: .linear)
  private static let open = StageGoal(target: 1, initial: 1, frames: 1, curve: .linear)

  /// Stages ever made, the two constant ones included.
  var count: Int { goals.count }

  /// The index of a stage in use; a key that no structure mentions has none.
  subscript(key: StageKey) -> Int? { indices[key] }

  /// Gives every key of a new structure its index and lets the others go.
  /// - Parameters:
  ///   - serial: of the plan that brings the structure.
  ///   - adopted: serial of the plan that the audio thread uses.
  mutating func use(_ keys: Set<StageKey>, levels: [StageKey: StageLevel], serial: UInt64, adopted: UInt64) {
    for (key, index) in indices where !keys.contains(key) {
      indices[key] = nil
      leaving[key] = (index, serial)
    }
    for (key, place) in leaving {
      if place.serial <= adopted {
        free.append(place.index)
        leaving[key] = nil
      } else if keys.contains(key) {
        indices[key] = place.index
        leaving[key] = nil
      }
    }
    for key in keys where indices[key] == nil { indices[key] = begin(key, levels[key]) }
    order = []
  }

  /// Makes a stage that did not exist.
  private mutating func begin(_ key: StageKey, _ level: StageLevel?) -> Int {
    // Nobody ducks unless somebody says so; everything else is silent until its level is known.
    var goal = if case .duck = key { Self.open } else { Self.closed }
    if let level { goal = Self.goal(level, initial: level.initial ?? level.target) }
    let stamp = identities << 32 | UInt64(level?.revision ?? 0)
    identities += 1
    if let index = free.popLast() {
      (goals[index], stamps[index]) = (goal, stamp)
      return index
    }
    goals.append(goal)
    stamps.append(stamp)
    return goals.count - 1
  }

  /// Notes where stages shall go; keys that no structure mentions are ignored.
  ///
  /// A dictionary that is the last one with some values changed comes in the same order, and comparing keys is ten times
  /// faster than looking them up.
  mutating func set(_ levels: [StageKey: StageLevel]) {
    if order.count != levels.count { order = levels.map { ($0.key, indices[$0.key]) } }
    var place = 0
    for (key, level) in levels {
      if order[place].key != key { order[place] = (key, indices[key]) }
      if let index = order[place].index { set(index, level) }
      place += 1
    }
  }

  /// Notes where one stage shall go; a key that no structure mentions is ignored.
  mutating func change(_ key: StageKey, _ level: StageLevel) {
    if let index = indices[key] { set(index, level) }
  }

  private mutating func set(_ index: Int, _ level: StageLevel) {
    let stamp = (stamps[index] >> 32) << 32 | UInt64(level.revision)
    guard stamp != stamps[index] else { return }
    stamps[index] = stamp
    goals[index] = Self.goal(level, initial: goals[index].initial)
  }

  /// A ramp longer than this many frames, six hours, is cut to it: the audio thread counts in 32 bits.
  private static let longestRamp = 1 << 30

  private static func goal(_ level: StageLevel, initial: Float) -> StageGoal {
    StageGoal(
      target: amplitude(level.target), initial: amplitude(initial),
      frames: Int32(min(max(level.ramp.frames, 1), longestRamp)), curve: Curve(level.ramp.shape))
  }

  /// A gain that no sound can survive is a mistake of the caller, and silence the safe answer.
  private static func amplitude(_ value: Float) -> Float { value.isFinite ? value : 0 }
}

extension Curve {
  /// The kernel's curve for a ramp's shape.
  init(_ shape: Ramp.Shape) {
    self =
      switch shape {
      case .raisedCosine: .raisedCosine
      case .decibels: .decibels
      case .fader: .fader
      case .linear: .linear
      case .sCurve: .sCurve
      }
  }
}
