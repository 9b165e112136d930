/// Multiplies the stages of a group's crosspoints into its gains.
/// - Parameters:
///   - rows: number of rows of the group.
///   - cells: four stages for each row, as indices into `values`; index 0 where there is no crosspoint.
///   - ducks: four duck stages for each row, or nil if the group has none; index 1 where there is none.
///   - scales: four constant factors for each row.
///   - rowIndices: index of each row in `rowGains`.
///   - values: present amplitude of every stage; the first is always 0, the second always 1.
///   - sinkGains: four gains, one for each sink.
///   - gains: the result, four gains for each row.
@inline(never) @_noLocks
public func multiplyStages(
  rows: Int, cells: UnsafePointer<Int32>, ducks: UnsafePointer<Int32>?, scales: UnsafePointer<Float>,
  rowIndices: UnsafePointer<Int32>, values: UnsafePointer<Float>, rowGains: UnsafePointer<Float>,
  sinkGains: UnsafePointer<Float>, into gains: UnsafeMutablePointer<Float>
) {
  let sinks = quad(sinkGains, 0)
  if let ducks {
    for row in 0..<rows {
      let cell = row &* groupSinks
      let gain = quad(scales, cell) * picked(values, cells + cell) * rowGains[Int(rowIndices[row])]
      UnsafeMutableRawPointer(gains + cell).storeBytes(
        of: gain * picked(values, ducks + cell) * sinks, as: SIMD4<Float>.self)
    }
  } else {
    for row in 0..<rows {
      let cell = row &* groupSinks
      let gain = quad(scales, cell) * picked(values, cells + cell) * rowGains[Int(rowIndices[row])]
      UnsafeMutableRawPointer(gains + cell).storeBytes(of: gain * sinks, as: SIMD4<Float>.self)
    }
  }
}

/// Does the same as `multiplyStages` for a group without ducks whose crosspoints have consecutive stages.
/// - Parameter values: present amplitudes, beginning with the first crosspoint's stage.
@inline(never) @_noLocks
public func multiplyNeighbours(
  rows: Int, values: UnsafePointer<Float>, scales: UnsafePointer<Float>, rowIndices: UnsafePointer<Int32>,
  rowGains: UnsafePointer<Float>, sinkGains: UnsafePointer<Float>, into gains: UnsafeMutablePointer<Float>
) {
  let sinks = quad(sinkGains, 0)
  for row in 0..<rows {
    let cell = row &* groupSinks
    let gain = quad(scales, cell) * quad(values, cell) * rowGains[Int(rowIndices[row])]
    UnsafeMutableRawPointer(gains + cell).storeBytes(of: gain * sinks, as: SIMD4<Float>.self)
  }
}

/// Turns gains in the middle of a block into bends: what they have beyond the common way.
/// - Parameters:
///   - middles: gains at the frame whose way is `way`, four for each row; the result takes their place.
///   - old: gains of the last frame before the block.
///   - new: gains of the block's last frame.
///   - way: the part of the common way there.
///   - scale: 1 / (way (1 - way)).
/// - Returns: the greatest magnitude of the bends, as a bit pattern.
@inline(never) @_noLocks
public func bend(
  _ middles: UnsafeMutablePointer<Float>, rows: Int, from old: UnsafePointer<Float>,
  to new: UnsafePointer<Float>, way: Float, scale: Float
) -> Int32 {
  var most = SIMD4<Int32>(repeating: 0)
  for row in 0..<rows {
    let cell = row &* groupSinks
    let start = quad(old, cell)
    let bend = (quad(middles, cell) - (start + (quad(new, cell) - start) * way)) * scale
    most = larger(most, unsafeBitCast(bend, to: SIMD4<Int32>.self) & SIMD4(repeating: 0x7fff_ffff))
    UnsafeMutableRawPointer(middles + cell).storeBytes(of: bend, as: SIMD4<Float>.self)
  }
  return max(max(most[0], most[1]), max(most[2], most[3]))
}

/// Reads four consecutive values.
@inline(always) @_noLocks
func quad(_ pointer: UnsafePointer<Float>, _ index: Int) -> SIMD4<Float> {
  UnsafeRawPointer(pointer + index).loadUnaligned(as: SIMD4<Float>.self)
}

/// Reads the values at four indices.
@inline(always) @_noLocks
func picked(_ values: UnsafePointer<Float>, _ indices: UnsafePointer<Int32>) -> SIMD4<Float> {
  SIMD4(
    values[Int(indices[0])], values[Int(indices[1])], values[Int(indices[2])], values[Int(indices[3])])
}
