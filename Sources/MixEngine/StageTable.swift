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
  private var lastIdentity: UInt32 = 0
  // As in `StageGoals`; the first two are the constant ones.
  private var identities: [UInt32] = [0, 0]
  private var revisions: [UInt32] = [0, 0]
  private var targets: [Float] = [0, 1]
  private var initials: [Float] = [0, 1]
  private var lengths: [Int32] = [1, 1]
  private var curves: [Curve] = [.linear, .linear]

  /// Index of the stage that is always 0.
  static let closedIndex = 0
  /// Index of the stage that is always 1.
  static let openIndex = 1

  /// Stages ever made, the two constant ones included.
  var count: Int { targets.count }

  /// The index of a stage in use; a key that no structure mentions has none.
  subscript(key: StageKey) -> Int? { indices[key] }

  /// A stage in use as the audio thread knows it.
  func earlyStage(_ key: StageKey) -> EarlySender.Stage? {
    indices[key].map {
      EarlySender.Stage(
        index: Int32(truncatingIfNeeded: $0), identity: identities[$0], rampFrames: lengths[$0])
    }
  }

  /// Gives every key of a new structure its index and lets the others go.
  /// - Parameters:
  ///   - ordered: the keys; new ones get indices in this order.
  ///   - serial: of the plan that brings the structure.
  ///   - adopted: serial of the plan that the audio thread uses.
  mutating func use(_ ordered: [StageKey], levels: [StageKey: StageLevel], serial: UInt64, adopted: UInt64) {
    let keys = Set(ordered)
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
    for key in ordered where indices[key] == nil { indices[key] = begin(key, levels[key]) }
    order = []
  }

  /// Makes a stage that did not exist.
  private mutating func begin(_ key: StageKey, _ level: StageLevel?) -> Int {
    // Nobody ducks unless somebody says so; everything else is silent until its level is known.
    var rest: Float = 0
    if case .duck = key { rest = 1 }
    let index = free.popLast() ?? targets.count
    if index == targets.count {
      identities.append(0)
      revisions.append(0)
      targets.append(0)
      initials.append(0)
      lengths.append(1)
      curves.append(.linear)
    }
    lastIdentity &+= 1
    identities[index] = lastIdentity
    initials[index] = Self.amplitude(level.map { $0.initial ?? $0.target } ?? rest)
    if let level {
      follow(index, level)
    } else {
      (revisions[index], targets[index], lengths[index], curves[index]) = (0, rest, 1, .linear)
    }
    return index
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
    if level.revision != revisions[index] { follow(index, level) }
  }

  private mutating func follow(_ index: Int, _ level: StageLevel) {
    revisions[index] = level.revision
    targets[index] = Self.amplitude(level.target)
    lengths[index] = Int32(min(max(level.ramp.frames, 1), Self.longestRamp))
    curves[index] = Curve(level.ramp.shape)
  }

  /// Copies where all stages shall go.
  func place(in arena: Arena) -> StageGoals {
    StageGoals(
      identities: arena.make(identities), revisions: arena.make(revisions), targets: arena.make(targets),
      initials: arena.make(initials), lengths: arena.make(lengths), curves: arena.make(curves))
  }

  /// A ramp longer than this many frames, six hours, is cut to it: the audio thread counts in 32 bits.
  private static let longestRamp = 1 << 30

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
