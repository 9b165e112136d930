import MixEngine
import SessionModel

/// Keeps the engine's mix equal to what is wanted; what is no longer wanted fades out before it goes.
struct MixAssembler {
  private var topology = MixTopology()
  /// Where sends were last to go, and what was last to be done to outputs.
  private var sends: [SendKey: MixLevels.Level] = [:]
  private var treatments: [PortID: MixLevels.Treatment] = [:]
  /// The number of each crosspoint that exists, sounding or fading out.
  private var crosspoints: [MixTopology.CellKey: Crosspoint] = [:]
  /// In the order they were made, so that equal mixes are equal structures.
  private var order: [MixTopology.CellKey] = []
  private var nextNumber = 0
  private var revision: UInt32 = 0
  /// What each stage was last sent to the engine as.
  private var sent: [StageKey: Sent] = [:]

  private struct Sent {
    var level: MixLevels.Level
    var revision: UInt32
  }

  private struct Crosspoint {
    let number: Int
    var send: SendKey
    /// Engine frame at which it has faded out and goes; nil while it is wanted.
    var end: UInt64?
  }

  /// The ports of ours that the mix needs.
  var ports: [PortKey] {
    var seen = Set<PortKey>()
    let fading = order.flatMap { [$0.row.source, $0.sink] }
    return (topology.sources + topology.sinks + fading).filter { seen.insert($0).inserted }
  }

  /// The crosspoints that are wanted.
  var sounding: [MixTopology.CellKey] { topology.cells.map(\.key) }

  /// Whether something fades out that must go later.
  var isFadingOut: Bool { crosspoints.values.contains { $0.end != nil } }

  /// Takes a new topology.
  /// - Parameter fadeOut: engine frame at which crosspoints that are no longer wanted have faded out.
  mutating func take(_ topology: MixTopology, fadeOut: UInt64) {
    self.topology = topology
    let wanted = Set(topology.cells.map(\.key))
    for key in order where !wanted.contains(key) && crosspoints[key]?.end == nil {
      crosspoints[key]?.end = fadeOut
    }
    for cell in topology.cells {
      if crosspoints[cell.key] == nil {
        crosspoints[cell.key] = Crosspoint(number: nextNumber, send: cell.send)
        order.append(cell.key)
        nextNumber += 1
      } else {
        crosspoints[cell.key]?.end = nil
        crosspoints[cell.key]?.send = cell.send
      }
    }
  }

  /// Lets go of what has faded out by an engine frame.
  /// - Returns: whether anything went.
  mutating func release(at frame: UInt64) -> Bool {
    let gone = order.filter { key in crosspoints[key]?.end.map { $0 <= frame } ?? false }
    guard !gone.isEmpty else { return false }
    for key in gone { crosspoints[key] = nil }
    order.removeAll { crosspoints[$0] == nil }
    return true
  }

  /// Publishes the whole mix.
  mutating func publish(
    _ levels: MixLevels, to engine: MixEngine, handles: [PortKey: PortHandle], rate: Double
  ) {
    (sends, treatments) = (levels.sends, levels.treatments)
    let structure = structure(handles)
    let changed = all(levels, rate: rate)
    var treatments: [PortID: OutputTreatment] = [:]
    for (port, treatment) in levels.treatments {
      treatments[port] = OutputTreatment(
        delay: Int((treatment.delay * rate).rounded()), ceiling: treatment.ceiling)
    }
    engine.publish(structure: structure, levels: changed, treatments: treatments)
  }

  /// Publishes some levels of a mix that is otherwise as it was: the quick way for a fader.
  /// - Returns: what was published.
  mutating func publish(
    changing part: MixLevels, to engine: MixEngine, rate: Double
  ) -> [StageKey: StageLevel] {
    var changed: [StageKey: StageLevel] = [:]
    for (key, level) in part.stages { note(key, level, rate: rate, in: &changed) }
    // Few commands move a send, and finding its crosspoints means looking at all.
    let moved = part.sends.filter { key, level in sends[key].map { level.isNew(after: $0) } ?? true }
    if !moved.isEmpty {
      sends.merge(moved) { $1 }
      for crosspoint in crosspoints.values where crosspoint.end == nil {
        guard let level = moved[crosspoint.send] else { continue }
        note(.crosspoint(crosspoint.number), level, rate: rate, in: &changed)
      }
    }
    if !changed.isEmpty { engine.publish(changing: changed) }
    return changed
  }

  /// Whether some levels cannot be published alone: treatments travel with the whole mix.
  func needsWhole(_ part: MixLevels) -> Bool {
    part.treatments.contains { treatments[$0.key] != $0.value }
  }

  // MARK: The engine's terms

  private func structure(_ handles: [PortKey: PortHandle]) -> MixStructure {
    var structure = MixStructure()
    var outputs: [PortID: Int] = [:]
    var indices: [PortKey: Int] = [:]
    for key in ports {
      guard let handle = handles[key] else { continue }
      if key.isSource {
        indices[key] = structure.sources.count
        structure.sources.append(MixStructure.Source(port: handle))
      } else {
        indices[key] = structure.sinks.count
        structure.sinks.append(sink(key, handle, &outputs, &structure.outputs))
      }
    }
    var rows: [MixTopology.RowKey: Int] = [:]
    for key in order {
      guard let source = indices[key.row.source], let sink = indices[key.sink] else { continue }
      let row = rows[key.row] ?? structure.rows.count
      if rows[key.row] == nil {
        rows[key.row] = row
        structure.rows.append(
          MixStructure.Row(source: source, stages: key.row.stages, ducked: key.row.ducked))
      }
      structure.cells.append(
        MixStructure.Cell(
          row: row, sink: sink, stage: .crosspoint(crosspoints[key]!.number), scale: key.scale))
    }
    return structure
  }

  private func sink(
    _ key: PortKey, _ handle: PortHandle, _ outputs: inout [PortID: Int], _ list: inout [MixStructure.Output]
  ) -> MixStructure.Sink {
    guard case .output(let port, _) = key else {
      return MixStructure.Sink(port: handle, output: nil, stages: [])
    }
    if outputs[port] == nil {
      outputs[port] = list.count
      list.append(MixStructure.Output(id: port))
    }
    return MixStructure.Sink(
      port: handle, output: outputs[port],
      stages: [.outputGain(port), .outputMute(port), .outputGate(port), .panic])
  }

  /// Where all stages shall go.
  private mutating func all(_ levels: MixLevels, rate: Double) -> [StageKey: StageLevel] {
    var all: [StageKey: StageLevel] = [:]
    var current: [StageKey: Sent] = [:]
    for (key, level) in levels.stages {
      current[key] = decide(key, level)
      all[key] = stageLevel(key, current[key]!, rate: rate)
    }
    for crosspoint in crosspoints.values {
      var level = levels.sends[crosspoint.send] ?? MixLevels.Level(target: 0, seconds: 0.02, initial: 0)
      if crosspoint.end != nil { level = MixLevels.Level(target: 0, seconds: fadeOutSeconds, initial: 0) }
      let key = StageKey.crosspoint(crosspoint.number)
      current[key] = decide(key, level)
      all[key] = stageLevel(key, current[key]!, rate: rate)
    }
    // A stage that the state no longer has stays where it was as long as something fades out behind it.
    for key in order where crosspoints[key]?.end != nil {
      for stage in key.row.stages where current[stage] == nil { current[stage] = sent[stage] }
    }
    sent = current
    return all
  }

  /// Notes where a stage shall go, for the engine if that is new to it.
  private mutating func note(
    _ key: StageKey, _ level: MixLevels.Level, rate: Double, in list: inout [StageKey: StageLevel]
  ) {
    let new = decide(key, level)
    guard new.revision != sent[key]?.revision else { return }
    list[key] = stageLevel(key, new, rate: rate)
    sent[key] = new
  }

  /// What a stage is sent as: with a revision of its own if it shall go elsewhere than before.
  private mutating func decide(_ key: StageKey, _ level: MixLevels.Level) -> Sent {
    if let before = sent[key], !level.isNew(after: before.level) {
      return Sent(level: level, revision: before.revision)
    }
    revision &+= 1
    return Sent(level: level, revision: revision)
  }

  /// The same in the engine's terms; call it before the stage counts as sent.
  private func stageLevel(_ key: StageKey, _ new: Sent, rate: Double) -> StageLevel {
    let level = new.level
    // The engine forgets stages that no crosspoint needs; one that comes back is where it was, or it would fade in twice.
    let initial = (sent[key] == nil ? level.initial : nil) ?? level.present
    return StageLevel(
      target: level.target, initial: initial,
      ramp: Ramp(level.shape, frames: Int((level.seconds * rate).rounded())), revision: new.revision)
  }

  /// Seconds that a removed crosspoint takes; set with the topology.
  var fadeOutSeconds = 0.02
}
