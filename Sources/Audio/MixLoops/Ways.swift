// How gains go from their values before a block to those at its last frame. All functions write `blockFrames` entries, those after the
// block's end too.

/// A straight line: frame i of n has the way (i + 1) / n.
@inline(never) @_noLocks
public func setStraightWays(_ ways: UnsafeMutablePointer<Float>, frames: Int) {
  let step = 1 / Float(Int32(truncatingIfNeeded: frames))
  var places = firstPlaces()
  var frame = 0
  while frame < blockFrames {
    store(Lanes(places) * step, ways, frame)
    places = places &+ Int32(laneCount)
    frame &+= laneCount
  }
}

/// The part of a raised cosine that falls into the block, from 0 before the block to 1 at its last frame.
/// - Parameters:
///   - elapsed: frames that have passed before the block since the ramp began.
///   - inverse: 1 / length of the ramp in frames.
/// - Returns: false, with nothing written, if the ramp does not move in the block.
@inline(never) @_noLocks
public func setEasedWays(
  _ ways: UnsafeMutablePointer<Float>, frames: Int, elapsed: Int32, inverse: Float
) -> Bool {
  let first = eased(Words(repeating: elapsed), inverse)
  let last = eased(Words(repeating: elapsed &+ Int32(truncatingIfNeeded: frames)), inverse)
  let span = last[0] - first[0]
  guard span != 0 else { return false }
  let scale = 1 / span
  var places = firstPlaces() &+ elapsed
  var frame = 0
  while frame < blockFrames {
    store((eased(places, inverse) - first) * scale, ways, frame)
    places = places &+ Int32(laneCount)
    frame &+= laneCount
  }
  return true
}

/// The way from the gains at which a glide began to the targets of its ramps, 1 at the ramps' end and after it.
/// - Parameters:
///   - begin: frames that had passed when the glide began since the ramps began; at most half of their length.
///   - elapsed: frames that have passed before the block since the ramps began.
///   - inverse: 1 / length of the ramps in frames.
///   - isEased: whether the ramps are raised cosines; otherwise they are linear.
@inline(never) @_noLocks
public func setGlideWays(
  _ ways: UnsafeMutablePointer<Float>, begin: Int32, elapsed: Int32, inverse: Float, isEased: Bool
) {
  let first = progress(Words(repeating: begin), inverse, isEased: isEased)
  let scale = 1 / (1 - first[0])
  var places = firstPlaces() &+ elapsed
  var frame = 0
  while frame < blockFrames {
    store((progress(places, inverse, isEased: isEased) - first) * scale, ways, frame)
    places = places &+ Int32(laneCount)
    frame &+= laneCount
  }
}

/// The progress of ramps after so many frames, 0 to 1.
@inline(always) @_noLocks
func progress(_ elapsed: Words, _ inverse: Float, isEased: Bool) -> Lanes {
  if isEased { return eased(elapsed, inverse) }
  let way = Lanes(elapsed) * inverse
  return way.replacing(with: 1, where: way .> 1)
}

/// The progress of raised cosines after so many frames.
@inline(always) @_noLocks
func eased(_ elapsed: Words, _ inverse: Float) -> Lanes {
  let way = Lanes(elapsed) * inverse
  return raisedCosine(way.replacing(with: 1, where: way .> 1))
}

/// The numbers 1, 2, 3 and so on.
@inline(always) @_noLocks
func firstPlaces() -> Words {
  var places = Words(repeating: 0)
  for lane in 0..<laneCount { places[lane] = Int32(truncatingIfNeeded: lane &+ 1) }
  return places
}
