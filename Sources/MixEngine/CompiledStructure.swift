internal import MixKernel
internal import MixLoops
internal import SessionModel

/// A mix's structure as flat tables for the audio thread, freed when the last plan that uses it is.
final class CompiledStructure {
  let pointer: UnsafeMutablePointer<PlanStructure>
  private let arena = Arena()

  /// Makes the tables. All keys of `mix` must have an index in `stages`.
  init(_ mix: MixStructure, stages: StageTable, serial: UInt64) {
    let groupCount = wholeGroups(mix.sinks.count) / groupSinks
    var reach = StageReach(stageCount: stages.count)
    var groups: [SinkGroup] = []
    var cells = Array(repeating: [MixStructure.Cell](), count: groupCount)
    for cell in mix.cells { cells[cell.sink / groupSinks].append(cell) }
    let layouts = cells.map { GroupLayout($0, mix: mix, stages: stages) }
    // What every period reads lies together, on few pages.
    let gains = arena.make(layouts.reduce(0) { $0 + $1.rows.count } * groupSinks, of: Float(0))
    let nextGains = arena.make(layouts.reduce(0) { $0 + $1.rows.count } * groupSinks, of: Float(0))
    var firstGain = 0
    for (index, layout) in layouts.enumerated() {
      groups.append(layout.place(in: arena, gains: gains + firstGain, nextGains: nextGains + firstGain))
      firstGain += layout.rows.count * groupSinks
      for stage in layout.stages { reach.add(stage, group: index) }
      for sink in mix.sinks[(index * groupSinks)..<min(mix.sinks.count, (index + 1) * groupSinks)] {
        for key in sink.stages { reach.addShared(stages.index(key), group: index) }
      }
      for row in layout.rows {
        for key in mix.rows[Int(row)].stages { reach.addShared(stages.index(key), group: index) }
      }
    }
    let (rowStarts, rowStages) = Self.chains(mix.rows.map(\.stages), stages)
    let (sinkStarts, sinkStages) = Self.chains(mix.sinks.map(\.stages), stages)
    let (reachStarts, reachGroups) = reach.table()
    let (sourceCount, sinkCount) = (mix.sources.count, mix.sinks.count)
    let sinks = wholeGroups(sinkCount)
    pointer = arena.make([
      PlanStructure(
        serial: serial, sourceCount: sourceCount, sinkCount: sinkCount,
        sourceHandles: arena.make(mix.sources.map(\.port.rawValue)),
        sinkHandles: arena.make(mix.sinks.map(\.port.rawValue)),
        sourceBuffers: arena.make(sourceCount, of: nil), sinkBuffers: arena.make(sinks, of: nil),
        packed: arena.make(sourceCount * blockFrames, of: 0),
        sourcePeaks: arena.make(sourceCount, of: 0), sinkPeaks: arena.make(sinks, of: 0),
        brokenBlocks: arena.make(sourceCount, of: 0), limitedSamples: arena.make(sinks, of: 0),
        rowCount: mix.rows.count, rowStageStart: arena.make(rowStarts), rowStages: arena.make(rowStages),
        rowGains: arena.make(mix.rows.count, of: 0), sinkStageStart: arena.make(sinkStarts),
        sinkStages: arena.make(sinkStages), sinkGains: arena.make(sinks, of: 0),
        matrixGains: arena.make(sinks, of: 0), lastGains: arena.make(sinks, of: 0),
        groupCount: groupCount, groups: arena.make(groups), stageCount: stages.count,
        stageGroupStart: arena.make(reachStarts), stageGroups: arena.make(reachGroups),
        stageIsShared: arena.make(reach.isShared))
    ])
  }

  /// Writes chains of stages one after another, and where each begins.
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

  /// Every key that a mix mentions, the duck stages that follow from it included; those of crosspoints in the order of the
  /// groups' tables, so that they get indices side by side.
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
    for sink in mix.sinks { sink.stages.forEach(add) }
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

/// Channels up to whole groups: tables that the loops read four at a time have so many entries.
func wholeGroups(_ channels: Int) -> Int { (channels + groupSinks - 1) / groupSinks * groupSinks }

extension StageTable {
  /// The index of a key that is known to be in use.
  fileprivate func index(_ key: StageKey) -> Int32 {
    guard let index = self[key] else { preconditionFailure("\(key) has no index") }
    return Int32(index)
  }
}

/// The tables of one group while they are made.
private struct GroupLayout {
  /// One entry for each row that any of the four sinks hears.
  private(set) var rows: [Int32] = []
  private var runs: [Int32] = []
  private var cells: [Int32] = []
  private var ducks: [Int32] = []
  private var scales: [Float] = []

  init(_ unsorted: [MixStructure.Cell], mix: MixStructure, stages: StageTable) {
    // In the order of sources, which makes runs long; and the sum does not depend on the order in which crosspoints were made.
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

  /// The place of a crosspoint; a second one from the same row to the same sink gets another entry for its row.
  private mutating func place(row: Int, lane: Int, source: Int) -> Int {
    if rows.last == Int32(row) {
      let place = (rows.count - 1) * groupSinks + lane
      if cells[place] == Int32(StageTable.closedIndex) { return place }
    }
    rows.append(Int32(row))
    let start = Int32(source * blockFrames)
    if let length = runs.last, start == runs[runs.count - 2] + length * Int32(blockFrames) {
      runs[runs.count - 1] += 1
    } else {
      runs += [start, 1]
    }
    cells += repeatElement(Int32(StageTable.closedIndex), count: groupSinks)
    ducks += repeatElement(Int32(StageTable.openIndex), count: groupSinks)
    scales += repeatElement(1, count: groupSinks)
    return (rows.count - 1) * groupSinks + lane
  }

  /// Stages of the crosspoints, with repetitions.
  var stages: [Int32] { cells + ducks }

  /// Whether the crosspoints' stages are side by side.
  private var areNeighbours: Bool {
    guard let first = cells.first, first > Int32(StageTable.openIndex) else { return false }
    return cells.indices.allSatisfy { cells[$0] == first + Int32($0) }
  }

  func place(
    in arena: Arena, gains: UnsafeMutablePointer<Float>, nextGains: UnsafeMutablePointer<Float>
  ) -> SinkGroup {
    let hasDucks = ducks.contains { $0 != Int32(StageTable.openIndex) }
    let runs = runs.isEmpty ? [0, 0] : runs
    return SinkGroup(
      rowCount: rows.count, runs: arena.make(runs), runCount: runs.count / 2, rows: arena.make(rows),
      cells: arena.make(cells), firstCell: !hasDucks && areNeighbours ? cells[0] : -1,
      ducks: hasDucks ? arena.make(ducks) : nil, scales: arena.make(scales),
      gains: gains, nextGains: nextGains)
  }
}

/// Which groups each stage takes part in.
private struct StageReach {
  /// Whether each stage is part of a row or a sink.
  private(set) var isShared: [Bool]
  private var lastGroup: [Int]
  private var pairs: [(stage: Int, group: Int)] = []

  init(stageCount: Int) {
    isShared = Array(repeating: false, count: stageCount)
    lastGroup = Array(repeating: -1, count: stageCount)
  }

  /// Notes that a stage takes part in a group; groups come in ascending order.
  mutating func add(_ stage: Int32, group: Int) {
    guard stage > StageTable.openIndex, lastGroup[Int(stage)] != group else { return }
    lastGroup[Int(stage)] = group
    pairs.append((Int(stage), group))
  }

  /// Notes that a stage of a row or a sink takes part in a group.
  mutating func addShared(_ stage: Int32, group: Int) {
    isShared[Int(stage)] = true
    add(stage, group: group)
  }

  /// Groups of each stage one after another, and where each begins.
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
