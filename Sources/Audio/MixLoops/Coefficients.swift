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
