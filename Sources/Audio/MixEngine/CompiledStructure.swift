internal import EffectKernel
internal import MixKernel
internal import MixLoops
internal import Rings
internal import SessionModel

/// The structure of a mix as flat tables for the audio thread. It is freed together with the last plan that uses it.
final class CompiledStructure {
  let pointer: UnsafeMutablePointer<PlanStructure>
  private let arena = Arena()
  /// The rings that the tables point to.
  private let rings: [RingStore]
  /// The players and recorders that the tables point to; nil if there are none.
  private let media: MediaHold?

  /// Makes the tables. Every key of `mix` must have an index in `stages`.
  init(_ mix: MixStructure, media layout: MediaLayout, stages: StageTable, serial: UInt64) {
    let groupCount = wholeGroups(mix.sinks.count) / groupSinks
    var reach = StageReach(stageCount: stages.count)
    var groups: [SinkGroup] = []
    var cells = Array(repeating: [MixStructure.Cell](), count: groupCount)
    for cell in mix.cells { cells[cell.sink / groupSinks].append(cell) }
    let layouts = cells.map { GroupLayout($0, mix: mix, stages: stages) }
    // The audio thread reads these gains in every period, so they are together on few pages.
    let gains = arena.make(layouts.reduce(0) { $0 + $1.rows.count } * groupSinks, of: Float(0))
    let nextGains = arena.make(layouts.reduce(0) { $0 + $1.rows.count } * groupSinks, of: Float(0))
    let bends = arena.make(layouts.reduce(0) { $0 + $1.rows.count } * groupSinks, of: Float(0))
    var firstGain = 0
    for (index, layout) in layouts.enumerated() {
      groups.append(
        layout.place(
          in: arena, gains: gains + firstGain, nextGains: nextGains + firstGain, bends: bends + firstGain))
      firstGain += layout.rows.count * groupSinks
      for stage in layout.stages { reach.add(stage, group: index) }
      for sink in mix.sinks[(index * groupSinks)..<min(mix.sinks.count, (index + 1) * groupSinks)] {
        for key in sink.stages { reach.addShared(stages.index(key), group: index) }
        for key in sink.insert?.stages ?? [] { reach.addShared(stages.index(key), group: index) }
        if let key = mix.ceiling(of: sink) { reach.addShared(stages.index(key), group: index) }
      }
      for row in layout.rows {
        for key in mix.rows[Int(row)].stages { reach.addShared(stages.index(key), group: index) }
      }
    }
    let (rowStarts, rowStages) = Self.chains(mix.rows.map(\.stages), stages)
    let (sinkStarts, sinkStages) = Self.chains(mix.sinks.map(\.stages), stages)
    let padding = 0..<(wholeGroups(mix.sinks.count) - mix.sinks.count)
    let inserts = mix.sinks.indices.filter { mix.sinks[$0].insert != nil }
    var sinkInserts = Array(repeating: Int32(-1), count: wholeGroups(mix.sinks.count))
    for (number, sink) in inserts.enumerated() { sinkInserts[sink] = Int32(number) }
    let ceilings = mix.sinks.map { sink in mix.ceiling(of: sink).map { stages.index($0) } ?? -1 }
    let (reachStarts, reachGroups) = reach.table()
    var isDuck = Array(repeating: false, count: stages.count)
    for layout in layouts { for stage in layout.duckStages { isDuck[Int(stage)] = true } }
    let (sourceCount, sinkCount) = (mix.sources.count, mix.sinks.count)
    let sinks = wholeGroups(sinkCount)
    let uses = RingLayout.uses(of: mix)
    rings = uses.map(\.store)
    let table = layout.place(in: arena)
    media = table.map { _ in MediaHold(layout) }
    pointer = arena.make([
      PlanStructure(
        serial: serial, sourceCount: sourceCount, sinkCount: sinkCount, ringCount: uses.count,
        rings: arena.make(uses.map { [arena] in $0.place(in: arena) }), media: table,
        sourceHandles: arena.make(mix.sources.map(\.endpoint.handle)),
        sinkHandles: arena.make(mix.sinks.map(\.endpoint.handle)),
        sourceBuffers: arena.make(sourceCount, of: nil), sinkBuffers: arena.make(sinks, of: nil),
        packed: arena.make(sourceCount * blockFrames, of: 0),
        sourcePeaks: arena.make(sourceCount, of: 0), sinkPeaks: arena.make(sinks, of: 0),
        brokenBlocks: arena.make(sourceCount, of: 0), limitedSamples: arena.make(sinks, of: 0),
        rowCount: mix.rows.count, rowStageStart: arena.make(rowStarts), rowStages: arena.make(rowStages),
        rowGains: arena.make(mix.rows.count, of: 0), sinkStageStart: arena.make(sinkStarts),
        sinkStages: arena.make(sinkStages), sinkGains: arena.make(sinks, of: 0),
        matrixGains: arena.make(sinks, of: 0), lastGains: arena.make(sinks, of: 0),
        middleGains: arena.make(sinks, of: 0), insertCount: inserts.count,
        inserts: arena.make(
          inserts.compactMap { [arena] in mix.sinks[$0].insert?.use(in: arena) { stages.index($0) } }),
        sinkInserts: arena.make(sinkInserts),
        ceilingStages: arena.make(ceilings + padding.map { _ in -1 }),
        ceilings: arena.make(sinks, of: .infinity), lastCeilings: arena.make(sinks, of: .infinity),
        leastCeilings: arena.make(sinks, of: .infinity),
        groupCount: groupCount, groups: arena.make(groups),
        stageCount: stages.count,
        stageGroupStart: arena.make(reachStarts), stageGroups: arena.make(reachGroups),
        stageIsShared: arena.make(reach.isShared), stageIsDuck: arena.make(isDuck),
        chunkGroups: arena.make(reach.chunks(starts: reachStarts, groups: reachGroups, isDuck)))
    ])
  }

  /// Writes chains of stages one after another. `starts` holds the index at which each chain begins, and the end of the last.
  private static func chains(_ chains: [[StageKey]], _ stages: StageTable) -> (
    starts: [Int32], stages: [Int32]
  ) {
    var starts: [Int32] = [0]
    var all: [Int32] = []
    for chain in chains {
      all += chain.map { stages.index($0) }
      starts.append(Int32(all.count))
    }
    return (starts, all)
  }

  /// All keys that a mix needs, including its duck stages. The keys of crosspoints are in the order of the groups' tables, so that
  /// they get consecutive indices.
  static func keys(of mix: MixStructure) -> [StageKey] {
    let cells = mix.cells.sorted { left, right in
      (left.sink / groupSinks, mix.rows[left.row].source, left.row, left.sink)
        < (right.sink / groupSinks, mix.rows[right.row].source, right.row, right.sink)
    }
    var seen = Set<StageKey>()
    var keys: [StageKey] = []
    func add(_ key: StageKey) { if seen.insert(key).inserted { keys.append(key) } }
    for cell in cells { add(cell.stage) }
    for row in mix.rows { row.stages.forEach(add) }
    for sink in mix.sinks {
      sink.stages.forEach(add)
      sink.insert?.stages.forEach(add)
      if let key = mix.ceiling(of: sink) { add(key) }
    }
    for cell in cells { if let duck = duck(cell, mix) { add(duck) } }
    return keys
  }

  /// The duck stage of a crosspoint, if its row can be ducked and its sink belongs to an output.
  fileprivate static func duck(_ cell: MixStructure.Cell, _ mix: MixStructure) -> StageKey? {
    guard let session = mix.rows[cell.row].ducked, let output = mix.sinks[cell.sink].output else {
      return nil
    }
    return .duck(session, mix.outputs[output].id)
  }
}

extension MixStructure {
  /// The stage of a sink's ceiling; nil for a capture, which has no limiter.
  fileprivate func ceiling(of sink: Sink) -> StageKey? {
    sink.output.map { .outputCeiling(outputs[$0].id) }
  }
}

extension MixStructure.Insert {
  fileprivate func use(in arena: Arena, index: (StageKey) -> Int32) -> InsertUse {
    precondition((0..<store.channels).contains(channel), "there is no channel \(channel)")
    return InsertUse(
      node: store.node, channel: channel, stages: arena.make(stages.map(index)), stageCount: stages.count)
  }
}

/// A number of channels, rounded up to whole groups of four: the length of tables that the loops read four entries at a time.
func wholeGroups(_ channels: Int) -> Int { (channels + groupSinks - 1) / groupSinks * groupSinks }

extension StageTable {
  /// The index of a key that must be in use.
  fileprivate func index(_ key: StageKey) -> Int32 {
    guard let index = self[key] else { preconditionFailure("\(key) has no index") }
    return Int32(index)
  }
}

/// The tables of one group of four sinks, while they are made.
private struct GroupLayout {
  /// One entry for each row that has a crosspoint with any of the four sinks.
  private(set) var rows: [Int32] = []
  private var starts: [Int32] = []
  private var cells: [Int32] = []
  private var ducks: [Int32] = []
  private var scales: [Float] = []

  init(_ unsorted: [MixStructure.Cell], mix: MixStructure, stages: StageTable) {
    // Neighbouring sources are read one after the other. A fixed order also makes the sum independent of the order of the crosspoints.
    let sorted = unsorted.sorted { left, right in
      (mix.rows[left.row].source, left.row, left.sink) < (mix.rows[right.row].source, right.row, right.sink)
    }
    for cell in sorted {
      let place = place(row: cell.row, lane: cell.sink % groupSinks, source: mix.rows[cell.row].source)
      cells[place] = stages.index(cell.stage)
      scales[place] = cell.scale
      if let duck = CompiledStructure.duck(cell, mix) { ducks[place] = stages.index(duck) }
    }
  }

  /// The index of a crosspoint in the tables. If a row has two crosspoints with one sink, the row gets a second entry.
  private mutating func place(row: Int, lane: Int, source: Int) -> Int {
    if rows.last == Int32(row) {
      let place = (rows.count - 1) * groupSinks + lane
      if cells[place] == Int32(StageTable.closedIndex) { return place }
    }
    rows.append(Int32(row))
    starts.append(Int32(source * blockFrames))
    cells += repeatElement(Int32(StageTable.closedIndex), count: groupSinks)
    ducks += repeatElement(Int32(StageTable.openIndex), count: groupSinks)
    scales += repeatElement(1, count: groupSinks)
    return (rows.count - 1) * groupSinks + lane
  }

  /// The duck stages of the crosspoints; a stage may occur several times.
  var duckStages: [Int32] { ducks.filter { $0 != Int32(StageTable.openIndex) } }

  /// All stages of the crosspoints; a stage may occur several times.
  var stages: [Int32] { cells + ducks }

  /// The crosspoints of each sink; nil if more than half of them exist.
  private var crosspoints: [Int32]? {
    let closed = Int32(StageTable.closedIndex)
    guard 2 * cells.count(where: { $0 != closed }) <= cells.count else { return nil }
    return (0..<groupSinks).flatMap { lane in
      let open = rows.indices.filter { cells[$0 * groupSinks + lane] != closed }
      return [Int32(open.count)] + open.flatMap { [starts[$0], Int32($0 * groupSinks + lane)] }
    }
  }

  /// Whether the crosspoints' stages have consecutive indices.
  private var areNeighbours: Bool {
    guard let first = cells.first, first > Int32(StageTable.openIndex) else { return false }
    return cells.indices.allSatisfy { cells[$0] == first + Int32($0) }
  }

  func place(
    in arena: Arena, gains: UnsafeMutablePointer<Float>, nextGains: UnsafeMutablePointer<Float>,
    bends: UnsafeMutablePointer<Float>
  ) -> SinkGroup {
    let hasDucks = ducks.contains { $0 != Int32(StageTable.openIndex) }
    return SinkGroup(
      rowCount: rows.count, starts: arena.make(starts), crosspoints: crosspoints.map { arena.make($0) },
      rows: arena.make(rows),
      cells: arena.make(cells), firstCell: !hasDucks && areNeighbours ? cells[0] : -1,
      ducks: hasDucks ? arena.make(ducks) : nil, scales: arena.make(scales),
      gains: gains, nextGains: nextGains, bends: bends)
  }
}

/// The groups that each stage has an effect on.
private struct StageReach {
  /// Whether each stage is part of a row or a sink.
  private(set) var isShared: [Bool]
  private var lastGroup: [Int]
  private var pairs: [(stage: Int, group: Int)] = []

  init(stageCount: Int) {
    isShared = Array(repeating: false, count: stageCount)
    lastGroup = Array(repeating: -1, count: stageCount)
  }

  /// Adds a group that a stage has an effect on. Call it with groups in ascending order.
  mutating func add(_ stage: Int32, group: Int) {
    guard stage > StageTable.openIndex, lastGroup[Int(stage)] != group else { return }
    lastGroup[Int(stage)] = group
    pairs.append((Int(stage), group))
  }

  /// Adds a group that the stage of a row or a sink has an effect on.
  mutating func addShared(_ stage: Int32, group: Int) {
    isShared[Int(stage)] = true
    add(stage, group: group)
  }

  /// For each whole chunk of stages the one group that all of them have an effect on; -1 if there is no such group, or a stage is shared or
  /// a duck stage.
  func chunks(starts: [Int32], groups: [Int32], _ isDuck: [Bool]) -> [Int32] {
    (0..<(isShared.count / chunkStages)).map { chunk in
      let stages = chunk * chunkStages..<(chunk + 1) * chunkStages
      let group =
        starts[stages.lowerBound] < starts[stages.upperBound] ? groups[Int(starts[stages.lowerBound])] : -1
      let isOne = stages.allSatisfy { stage in
        !isShared[stage] && !isDuck[stage] && starts[stage + 1] == starts[stage] + 1
          && groups[Int(starts[stage])] == group
      }
      return isOne ? group : -1
    }
  }

  /// The groups of all stages one after another, and the index at which each stage's groups begin.
  func table() -> (starts: [Int32], groups: [Int32]) {
    var starts = Array(repeating: Int32(0), count: isShared.count + 1)
    for pair in pairs { starts[pair.stage + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var next = starts
    var groups = Array(repeating: Int32(0), count: pairs.count)
    for pair in pairs {
      groups[Int(next[pair.stage])] = Int32(pair.group)
      next[pair.stage] += 1
    }
    return (starts, groups)
  }
}
