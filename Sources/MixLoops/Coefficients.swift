/// Multiplies the stages of a group's crosspoints into its gains.
/// - Parameters:
///   - rows: rows of the group.
///   - cells: four stages for each row, as indices into `values`; index 0 where there is no crosspoint.
///   - ducks: four duck stages for each row, or nil if the group has none; index 1 where there is none.
///   - scales: four constant factors for each row.
///   - rowIndices: which row each one is, as index into `rowGains`.
///   - values: present amplitude of every stage; the first is always 0, the second always 1.
///   - sinkGains: four, one for each sink.
///   - gains: four for each row.
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

/// As above for a group without ducks whose crosspoints have stages side by side.
/// - Parameter values: present amplitude of the first crosspoint's stage and those that follow.
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

/// Reads four neighbours.
@inline(always) @_noLocks
func quad(_ pointer: UnsafePointer<Float>, _ index: Int) -> SIMD4<Float> {
  UnsafeRawPointer(pointer + index).loadUnaligned(as: SIMD4<Float>.self)
}

/// Reads four values from anywhere.
@inline(always) @_noLocks
func picked(_ values: UnsafePointer<Float>, _ indices: UnsafePointer<Int32>) -> SIMD4<Float> {
  SIMD4(
    values[Int(indices[0])], values[Int(indices[1])], values[Int(indices[2])], values[Int(indices[3])])
}
