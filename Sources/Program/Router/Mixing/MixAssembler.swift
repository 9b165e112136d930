import EffectKernel
import MixEngine
import MixKernel
import SessionModel

/// Keeps the engine's mix equal to the wanted mix. Crosspoints that are no longer wanted fade out before they are removed.
struct MixAssembler {
  /// The wanted structure without its crosspoints, which are in `crosspoints`.
  private var topology = MixTopology()
  /// The sends that were last published, with their wanted crosspoints.
  private var sends = SendTable()
  /// The treatments of outputs that were last published.
  private var treatments: [PortID: MixLevels.Treatment] = [:]
  /// All crosspoints of the mix: the wanted ones, and those that fade out.
  private var crosspoints: [MixTopology.CellKey: Crosspoint] = [:]
  /// The crosspoints in the order in which they were made, so that equal mixes become equal structures.
  private var order: [MixTopology.CellKey] = []
  private var nextNumber = 0
  /// Number of the last publication. Stages that move in a publication get its number, so that they begin their ramps together.
  private var revision: UInt32 = 0
  /// The level that the engine last got for each stage. For a crosspoint in `sends` it is the level of the last
  /// publication of the whole mix.
  private var sent: [StageKey: SentLevel] = [:]
  /// Stages whose crosspoints wait for a JACK port. The engine does not have these stages yet. When the port exists,
  /// they begin as new stages.
  private var waiting: Set<StageKey> = []

  /// The fade of the last recall. Crosspoints that the recall made rise until the fade ends, even if they wait for a
  /// JACK port.
  struct Crossfade {
    /// Seconds since the router's start.
    let end: Double
    /// The stages of the recall's crosspoints that have not begun to rise.
    var rising: Set<StageKey> = []
    /// The gates of these crosspoints' streams that are closed until a program is connected.
    var gates: Set<StageKey> = []
    /// The stages in series with the gate of a new stream. They open at once and only the gate rises: a product of two
    /// ramps is no ramp of equal power.
    var hidden: Set<StageKey> = []
    /// The stages of a sound that leaves a sink by one way and reaches it by another. They crossfade in amplitude, so
    /// that both ways together are never louder than the louder way.
    var steady: Set<StageKey> = []

    /// The curve of a stage that moves with the fade.
    func shape(of stage: StageKey) -> Ramp.Shape { steady.contains(stage) ? .raisedCosine : .equalPower }
  }

  var crossfade: Crossfade?

  /// The crosspoints of players that are new in the mix. They begin at their levels, because a ramp would cut the
  /// attack. The players are silent until they get their orders, which have their own fades.
  private var beginning: Set<StageKey> = []

  private struct Crosspoint {
    let number: Int
    var send: SendKey
    /// Engine frame at which the crosspoint has faded out and is removed; nil while it is wanted.
    var end: UInt64?
  }

  /// Where sound enters and leaves the mix.
  var points: [MixPoint] {
    var seen = Set<MixPoint>()
    let fading = order.flatMap { [$0.row.source, $0.sink] }
    return (topology.sources + topology.sinks + fading).filter { seen.insert($0).inserted }
  }

  /// The outputs that recorders record.
  var copies: [MixTopology.Copy] { topology.copies }

  /// The wanted crosspoints.
  var sounding: [MixTopology.CellKey] { order.filter { crosspoints[$0]?.end == nil } }

  /// Whether a crosspoint fades out. The caller must then call `release` later.
  private(set) var isFadingOut = false

  /// Sets the wanted topology.
  /// - Parameters:
  ///   - isCrossfading: whether new crosspoints belong to `crossfade`.
  ///   - feeds: the ports of other clients that feed a port of the router, before or after the change.
  mutating func setTopology(
    _ topology: MixTopology, isCrossfading: Bool, feeds: (PortKey) -> Set<String> = { _ in [] }
  ) {
    let players = Set(self.topology.sources.filter(\.isPlayer))
    self.topology = topology
    self.topology.cells = []
    let wanted = Set(topology.cells.map(\.key))
    for key in order where !wanted.contains(key) && crosspoints[key]?.end == nil {
      crosspoints[key]?.end = .max
    }
    for cell in topology.cells {
      if crosspoints[cell.key] == nil {
        crosspoints[cell.key] = Crosspoint(number: nextNumber, send: cell.send)
        order.append(cell.key)
        if cell.key.row.source.isPlayer, !players.contains(cell.key.row.source) {
          beginning.insert(.crosspoint(nextNumber))
        } else if isCrossfading {
          addToCrossfade(cell.key, nextNumber)
        }
        nextNumber += 1
      } else {
        if let old = crosspoints[cell.key], old.end != nil, isCrossfading {
          crossfade?.rising.insert(.crosspoint(old.number))
        }
        crosspoints[cell.key]?.end = nil
        crosspoints[cell.key]?.send = cell.send
      }
    }
    if isCrossfading { findSteady(feeds) }
    updateIsFadingOut()
  }

  /// Sets the engine frame at which the crosspoints have faded out that began their fade-out in the last publication.
  ///
  /// Call this after the publication, because making a large mix takes several periods.
  mutating func endFadeOut(at frame: UInt64) {
    for key in order where crosspoints[key]?.end == .max { crosspoints[key]?.end = frame }
  }

  /// Removes the crosspoints that have faded out by an engine frame.
  /// - Returns: whether any crosspoint was removed.
  mutating func release(at frame: UInt64) -> Bool {
    let gone = order.filter { key in crosspoints[key]?.end.map { $0 <= frame } ?? false }
    guard !gone.isEmpty else { return false }
    for key in gone { crosspoints[key] = nil }
    order.removeAll { crosspoints[$0] == nil }
    updateIsFadingOut()
    return true
  }

  /// Updates `isFadingOut`. The value is stored, because the router reads it at every change.
  private mutating func updateIsFadingOut() { isFadingOut = crosspoints.values.contains { $0.end != nil } }

  /// Publishes the whole mix.
  mutating func publish(
    _ levels: MixLevels, to engine: MixEngine, handles: [PortKey: PortHandle], rate: Double, at time: Double,
    orders: MediaOrders = MediaOrders()
  ) {
    if let end = crossfade?.end, end <= time { crossfade = nil }
    treatments = levels.treatments
    let structure = structure(handles)
    waiting = stagesWaiting(for: handles)
    let all = all(levels, rate: rate, at: time)
    sends = SendTable(levels.sends, followers: followers)
    var treatments: [PortID: OutputTreatment] = [:]
    for (port, treatment) in levels.treatments {
      treatments[port] = OutputTreatment(delay: Int((treatment.delay * rate).rounded()))
    }
    engine.publish(structure: structure, levels: all, treatments: treatments, orders: orders)
  }

  /// Publishes only the levels that changed. This is faster than publishing the whole mix, which matters for faders.
  /// - Returns: the levels that were published.
  mutating func publish(
    changing part: MixLevels, to engine: MixEngine, rate: Double, at time: Double,
    orders: MediaOrders = MediaOrders()
  ) -> StageChanges {
    revision &+= 1
    var changed = StageChanges()
    changed.reserveCapacity(part.stages.count + part.sends.count)
    for (key, level) in part.stages { add(key, rising(key, level, at: time), rate: rate, to: &changed) }
    sends.follow(part.sends, revision: revision) { crosspoint, sent in
      changed.append(.crosspoint(crosspoint), Self.stageLevel(sent, isFirst: false, rate: rate))
    }
    if !changed.isEmpty || !orders.isEmpty { engine.publish(changing: changed, orders: orders) }
    return changed
  }

  /// Whether the whole mix must be published because a treatment changed; treatments cannot be published alone.
  func needsWhole(_ part: MixLevels) -> Bool {
    part.treatments.contains { treatments[$0.key] != $0.value }
  }

  // MARK: The engine's terms

  private func structure(_ handles: [PortKey: PortHandle]) -> MixStructure {
    var structure = MixStructure()
    var outputs: [PortID: Int] = [:]
    var indices: [MixPoint: Int] = [:]
    for point in points {
      guard let endpoint = point.endpoint(handles) else { continue }
      if point.isSource {
        indices[point] = structure.sources.count
        structure.sources.append(MixStructure.Source(endpoint))
      } else {
        indices[point] = structure.sinks.count
        structure.sinks.append(sink(point, endpoint, &outputs, &structure.outputs))
      }
    }
    for copy in topology.copies {
      guard let sink = indices[.port(copy.sink)] else { continue }
      structure.copies.append(MixStructure.Copy(sink: sink, tap: copy.tap))
    }
    for metered in topology.metered {
      guard let sink = indices[.port(metered.sink)] else { continue }
      structure.metered.append(MixStructure.Copy(sink: sink, tap: metered.tap))
    }
    for loudspeaker in topology.loudspeakers {
      // A sink for the same channel may still fade out. It takes the place of the copy until then.
      guard let sink = indices[.port(loudspeaker.sink)],
        !structure.sinks.contains(where: { $0.endpoint == .voice(loudspeaker.channel) })
      else { continue }
      structure.loudspeakers.append(MixStructure.Loudspeaker(sink: sink, channel: loudspeaker.channel))
    }
    for key in topology.keys {
      // As for loudspeakers.
      guard let sink = indices[.port(key.sink)],
        !structure.sinks.contains(where: { $0.endpoint == .effect(key.channel) })
      else { continue }
      structure.keys.append(MixStructure.Key(sink: sink, channel: key.channel, share: key.share))
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
    _ point: MixPoint, _ endpoint: MixStructure.Endpoint, _ outputs: inout [PortID: Int],
    _ list: inout [MixStructure.Output]
  ) -> MixStructure.Sink {
    let port: PortID
    switch point {
    case .port(.output(let id, _)), .loudspeaker(let id, _): port = id
    case .port(.capture(let session, _)):
      return MixStructure.Sink(
        endpoint, output: nil, stages: [], insert: insert(point, before: [.captureReturn(session)]))
    default: return MixStructure.Sink(endpoint, output: nil, stages: [])
    }
    if outputs[port] == nil {
      outputs[port] = list.count
      list.append(MixStructure.Output(id: port))
    }
    let level = [.outputGain(port)] + (topology.balances[point].map { [$0] } ?? [])
    // What silences comes behind the effects, where it is heard at once.
    let silence: [StageKey] = [.outputMute(port), .outputGate(port), .panic]
    let insert = insert(point, before: silence)
    return MixStructure.Sink(
      endpoint, output: outputs[port], stages: insert == nil ? level + silence : level, insert: insert)
  }

  private func insert(_ point: MixPoint, before stages: [StageKey]) -> MixStructure.Insert? {
    topology.inserts[point].map {
      MixStructure.Insert($0.channel.store, channel: $0.channel.number, stages: stages)
    }
  }

  /// The stages all of whose crosspoints wait for a JACK port.
  private func stagesWaiting(for handles: [PortKey: PortHandle]) -> Set<StageKey> {
    let isThere = { (key: MixTopology.CellKey) in
      key.row.source.endpoint(handles) != nil && key.sink.endpoint(handles) != nil
    }
    guard order.contains(where: { !isThere($0) }) else { return [] }
    var (waiting, present) = (Set<StageKey>(), Set<StageKey>())
    for key in order {
      let stages = key.row.stages + [.crosspoint(crosspoints[key]!.number)]
      if isThere(key) { present.formUnion(stages) } else { waiting.formUnion(stages) }
    }
    return waiting.subtracting(present)
  }

  /// Returns the levels of all stages, and records them as sent.
  private mutating func all(
    _ levels: MixLevels, rate: Double, at time: Double
  ) -> [StageKey: StageLevel] {
    revision &+= 1
    sends.forEachFollower { sent[.crosspoint($0)] = $1 }
    let sendLevels = Dictionary(uniqueKeysWithValues: levels.sends.map { ($0.key, $0.level) })
    var all: [StageKey: StageLevel] = [:]
    var current: [StageKey: SentLevel] = [:]
    for (key, level) in levels.stages {
      current[key] = numbered(key, rising(key, level, at: time))
      all[key] = Self.stageLevel(current[key]!, isFirst: sent[key] == nil, rate: rate)
    }
    for crosspoint in crosspoints.values {
      var level = sendLevels[crosspoint.send] ?? MixLevels.Level(target: 0, seconds: 0.02, initial: 0)
      let key = StageKey.crosspoint(crosspoint.number)
      if crosspoint.end != nil {
        level = MixLevels.Level(target: 0, shape: fadeOut.shape, seconds: fadeOut.seconds, initial: 0)
        if let crossfade, crossfade.steady.contains(key) { level.shape = crossfade.shape(of: key) }
      } else if let crossfade, crossfade.hidden.contains(key) {
        level.isAtOnce = true
      } else if let crossfade, crossfade.rising.contains(key) {
        (level.shape, level.seconds) = (crossfade.shape(of: key), max(level.seconds, crossfade.end - time))
      }
      if beginning.contains(key) { level.initial = nil }
      current[key] = numbered(key, level)
      all[key] = Self.stageLevel(current[key]!, isFirst: sent[key] == nil, rate: rate)
    }
    // A stage that the state no longer has keeps its level while a crosspoint behind it fades out.
    for key in order where crosspoints[key]?.end != nil {
      for stage in key.row.stages where current[stage] == nil { current[stage] = sent[stage] }
    }
    for key in waiting { current[key] = nil }
    crossfade?.rising.formIntersection(waiting)
    crossfade?.hidden.formIntersection(waiting)
    beginning.formIntersection(waiting)
    sent = current
    return all
  }

  /// The wanted crosspoints that the engine has, by their sends.
  private var followers: [SendKey: [SendTable.Follower]] {
    var followers: [SendKey: [SendTable.Follower]] = [:]
    for crosspoint in crosspoints.values where crosspoint.end == nil {
      guard let sent = sent[.crosspoint(crosspoint.number)] else { continue }
      followers[crosspoint.send, default: []].append(
        SendTable.Follower(crosspoint: crosspoint.number, revision: sent.revision))
    }
    return followers
  }

  /// Adds a crosspoint that a recall has made to the crossfade, with the gate of its stream if the gate is closed.
  private mutating func addToCrossfade(_ key: MixTopology.CellKey, _ number: Int) {
    crossfade?.rising.insert(.crosspoint(number))
    for case .streamGate(let session, let stream) in key.row.stages {
      let gate = StageKey.streamGate(session, stream)
      if sent[gate]?.level.target ?? 0 == 0 { crossfade?.gates.insert(gate) }
      guard sent[gate] == nil else { continue }
      crossfade?.hidden.insert(.crosspoint(number))
      if sent[.sessionGate(session)] == nil { crossfade?.hidden.insert(.sessionGate(session)) }
    }
  }

  /// Finds the stages of the sounds that leave a sink by one way and reach it by another (`Crossfade.steady`).
  /// - Parameter feeds: as in `setTopology`.
  private mutating func findSteady(_ feeds: (PortKey) -> Set<String>) {
    guard crossfade?.rising.isEmpty == false else { return }
    func sounds(of point: MixPoint) -> Set<String> {
      let others = point.port.map(feeds) ?? []
      return others.isEmpty ? ["\(point)"] : others
    }
    var leaving: [MixPoint: [(stage: StageKey, sounds: Set<String>)]] = [:]
    for key in order where crosspoints[key]?.end == .max {
      leaving[key.sink, default: []].append(
        (.crosspoint(crosspoints[key]!.number), sounds(of: key.row.source)))
    }
    guard !leaving.isEmpty else { return }
    for (key, crosspoint) in crosspoints where crosspoint.end == nil {
      let stage = StageKey.crosspoint(crosspoint.number)
      guard crossfade?.rising.contains(stage) == true, let others = leaving[key.sink] else { continue }
      let same = sounds(of: key.row.source)
      for other in others where !other.sounds.isDisjoint(with: same) {
        crossfade?.steady.formUnion([other.stage, stage])
        for case .streamGate(let session, let stream) in key.row.stages {
          crossfade?.steady.insert(.streamGate(session, stream))
        }
      }
    }
  }

  /// Returns a stage's level with its ramp. The gate of a stream that the recall has made rises for the rest of the
  /// recall's fade.
  private mutating func rising(_ key: StageKey, _ level: MixLevels.Level, at time: Double) -> MixLevels.Level
  {
    guard let crossfade, level.target > 0 else { return level }
    if crossfade.hidden.contains(key) {
      var level = level
      level.isAtOnce = true
      return level
    }
    guard crossfade.gates.contains(key) else { return level }
    // A stage that waits for a JACK port begins anew when the port exists.
    if !waiting.contains(key) { self.crossfade?.gates.remove(key) }
    // A program that has just appeared begins at its level at once.
    guard time < crossfade.end, level.seconds > 0 else { return level }
    var level = level
    (level.shape, level.seconds) = (crossfade.shape(of: key), max(level.seconds, crossfade.end - time))
    return level
  }

  /// Adds a stage's level to a list for the engine and records it as sent, unless the engine has the level already.
  private mutating func add(
    _ key: StageKey, _ level: MixLevels.Level, rate: Double, to list: inout StageChanges
  ) {
    let place = sent.index(forKey: key)
    if let place, !level.isNew(after: sent.values[place].level) { return }
    guard waiting.isEmpty || !waiting.contains(key) else { return }
    let new = SentLevel(level: level, revision: revision)
    list.append(key, Self.stageLevel(new, isFirst: place == nil, rate: rate))
    if let place { sent.values[place] = new } else { sent[key] = new }
  }

  /// A stage's level with its revision: a new revision if the stage must move, otherwise the last revision.
  private func numbered(_ key: StageKey, _ level: MixLevels.Level) -> SentLevel {
    if let before = sent[key], !level.isNew(after: before.level) {
      return SentLevel(level: level, revision: before.revision)
    }
    return SentLevel(level: level, revision: revision)
  }

  /// A level in the engine's terms.
  /// - Parameter isFirst: whether the engine does not have the stage yet.
  private static func stageLevel(_ new: SentLevel, isFirst: Bool, rate: Double) -> StageLevel {
    let level = new.level
    // The engine forgets a stage without crosspoints. If the stage returns, it starts at its target, or it would fade in twice.
    let initial = (isFirst ? level.initial : nil) ?? level.present
    return StageLevel(
      target: level.target, initial: initial,
      ramp: level.isAtOnce ? .none : Ramp(level.shape, frames: Int((level.seconds * rate).rounded())),
      revision: new.revision)
  }

  /// How an unwanted crosspoint fades out; set it together with the topology.
  var fadeOut = MixLevels.Switching(seconds: 0.02)
}
