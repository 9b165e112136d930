internal import MixKernel
internal import MixLoops
internal import SessionModel

/// The indices by which the audio thread knows the stages, and the wanted level of each.
struct StageTable {
  /// Indices of the keys in use.
  private var indices: [StageKey: Int] = [:]
  /// Indices of the crosspoints in use by their numbers, from the lowest one on; -1 for numbers that no crosspoint has. A recall asks for thousands.
  private var crosspoints: [Int] = []
  private var firstCrosspoint = 0
  /// Keys that the newest plan does not use any more, each with the serial of the plan that dropped it. Until the audio thread adopts
  /// that plan, it still uses the stage, so a key that returns must get the same index.
  private var leaving: [StageKey: (index: Int, serial: UInt64)] = [:]
  private var free: [Int] = []
  /// Keys in the order of the last levels, with their indices.
  private var order: [(key: StageKey, index: Int?)] = []
  private var lastIdentity: UInt32 = 0
  // The tables of `StageGoals`. The first two entries are the constant stages.
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

  /// Number of indices in use or free, including the two constant stages.
  var count: Int { targets.count }

  /// The index of a key; nil for a key that the structure does not have.
  subscript(key: StageKey) -> Int? {
    guard case .crosspoint(let number) = key, !crosspoints.isEmpty else { return indices[key] }
    let place = number - firstCrosspoint
    guard crosspoints.indices.contains(place), crosspoints[place] >= 0 else { return nil }
    return crosspoints[place]
  }

  /// The stage of a key as `EarlySender` needs it; nil for a key that the structure does not have.
  func earlyStage(_ key: StageKey) -> EarlySender.Stage? {
    self[key].map {
      EarlySender.Stage(
        index: Int32(truncatingIfNeeded: $0), identity: identities[$0], rampFrames: lengths[$0])
    }
  }

  /// Gives every key of a new structure an index, and frees the indices of all other keys.
  /// - Parameters:
  ///   - ordered: the keys; new ones get indices in this order.
  ///   - serial: serial of the plan that brings the structure.
  ///   - adopted: serial of the plan that the audio thread uses now.
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
    tabulateCrosspoints(ordered)
  }

  private mutating func tabulateCrosspoints(_ keys: [StageKey]) {
    let numbers = keys.compactMap { key in if case .crosspoint(let number) = key { number } else { nil } }
    crosspoints = []
    // Numbers only grow. After an evening of changes, few crosspoints may be left of many numbers.
    guard let first = numbers.min(), let last = numbers.max(), last - first < 8 * numbers.count else {
      return
    }
    firstCrosspoint = first
    crosspoints = Array(repeating: -1, count: last - first + 1)
    for number in numbers { crosspoints[number - first] = indices[.crosspoint(number)] ?? -1 }
  }

  /// Makes a new stage and returns its index.
  private mutating func begin(_ key: StageKey, _ level: StageLevel?) -> Int {
    // Without a level, a duck stage does not duck and a ceiling is full scale. Every other stage is silent until its level is known.
    let rest: Float =
      switch key {
      case .duck, .outputCeiling: 1
      default: 0
      }
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

  /// Sets the levels of stages. Keys that the structure does not have are ignored.
  ///
  /// A dictionary of which only values changed has its keys in the same order as the last one. Comparing keys in that order is ten times
  /// as fast as looking them up.
  mutating func set(_ levels: [StageKey: StageLevel]) {
    if order.count != levels.count { order = levels.map { ($0.key, indices[$0.key]) } }
    var place = 0
    for (key, level) in levels {
      if order[place].key != key { order[place] = (key, indices[key]) }
      if let index = order[place].index { set(index, level) }
      place += 1
    }
  }

  /// Sets the level of one stage. A key that the structure does not have is ignored.
  mutating func change(_ key: StageKey, _ level: StageLevel) {
    if let index = self[key] { set(index, level) }
  }

  private mutating func set(_ index: Int, _ level: StageLevel) {
    if level.revision != revisions[index] { follow(index, level) }
  }

  private mutating func follow(_ index: Int, _ level: StageLevel) {
    revisions[index] = level.revision
    targets[index] = Self.amplitude(level.target)
    lengths[index] = Int32(min(max(level.ramp.frames, 0), Self.longestRamp))
    curves[index] = Curve(level.ramp.shape)
  }

  /// Copies the levels of all stages into tables for the audio thread.
  func place(in arena: Arena) -> StageGoals {
    StageGoals(
      identities: arena.make(identities), revisions: arena.make(revisions), targets: arena.make(targets),
      initials: arena.make(initials), lengths: arena.make(lengths), curves: arena.make(curves),
      chunks: arena.make(chunks()))
  }

  /// What the stages of each whole chunk have in common.
  private func chunks() -> [GoalChunk] {
    revisions.withUnsafeBufferPointer { revisions in
      lengths.withUnsafeBufferPointer { lengths in
        curves.withUnsafeBufferPointer { curves in
          (0..<(revisions.count / chunkStages)).map { chunk in
            let first = chunk * chunkStages
            let (revision, length, curve) = (revisions[first], lengths[first], curves[first])
            let isUniform = (first..<(first + chunkStages)).allSatisfy {
              revisions[$0] == revision && lengths[$0] == length && curves[$0].rawValue == curve.rawValue
            }
            return GoalChunk(revision: revision, length: length, curve: curve, isUniform: isUniform)
          }
        }
      }
    }
  }

  /// The longest ramp in frames, more than six hours at 48 kHz. Longer ramps are cut to it, because the audio thread counts frames in 32
  /// bits.
  private static let longestRamp = 1 << 30

  /// The amplitude, or 0 if it is infinite or not a number: such a value is an error of the caller, and silence is safe.
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
      case .equalPower: .equalPower
      }
  }
}
