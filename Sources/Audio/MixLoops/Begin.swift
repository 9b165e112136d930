/// Begins ramps in amplitude of stages next to each other. Chunks whose stages are all at their targets get no ramps.
/// - Parameters:
///   - first: the first stage.
///   - count: number of stages: whole chunks.
///   - values: present amplitude of every stage.
///   - targets: wanted amplitude of every stage.
///   - stages: the list's stages, from the place of the first new ramp on; others of the list in the same way.
///   - starts: present amplitudes of the ramps' stages.
///   - spans: differences from the starts to the targets.
///   - curves: the list of every stage that has a ramp.
///   - curve: the list of these ramps.
/// - Returns: the number of ramps that begin.
@inline(never) @_noLocks
public func beginRamps(
  _ first: Int, count: Int, values: UnsafePointer<Float>, targets: UnsafePointer<Float>,
  stages: UnsafeMutablePointer<Int32>, starts: UnsafeMutablePointer<Float>,
  spans: UnsafeMutablePointer<Float>, curves: UnsafeMutablePointer<Int32>, curve: Int32
) -> Int {
  var (begun, stage) = (0, first)
  while stage < first &+ count {
    var moves = Words(repeating: 0)
    var part = 0
    while part < chunkStages {
      let (value, target) = (lanes(values, stage &+ part), lanes(targets, stage &+ part))
      moves = moves.replacing(with: 1, where: value .!= target)
      store(value, starts, begun &+ part)
      store(target - value, spans, begun &+ part)
      part &+= laneCount
    }
    if greatest(moves) > 0 {
      part = 0
      while part < chunkStages {
        let index = firstPlaces() &+ Int32(truncatingIfNeeded: stage &+ part &- 1)
        UnsafeMutableRawPointer(stages + (begun &+ part)).storeBytes(of: index, as: Words.self)
        UnsafeMutableRawPointer(curves + (stage &+ part)).storeBytes(
          of: Words(repeating: curve), as: Words.self)
        part &+= laneCount
      }
      begun &+= chunkStages
    }
    stage &+= chunkStages
  }
  return begun
}

/// Computes the spans of ramps in amplitude that begin anew, of stages next to each other.
/// - Parameters:
///   - count: number of ramps.
///   - starts: present amplitudes of the stages.
///   - targets: wanted amplitudes of the stages.
///   - spans: receives the differences from the starts to the targets.
@inline(never) @_noLocks
public func setSpans(
  _ count: Int, starts: UnsafePointer<Float>, targets: UnsafePointer<Float>,
  spans: UnsafeMutablePointer<Float>
) {
  var place = 0
  while place &+ laneCount <= count {
    store(lanes(targets, place) - lanes(starts, place), spans, place)
    place &+= laneCount
  }
  while place < count {
    spans[place] = targets[place] - starts[place]
    place &+= 1
  }
}
