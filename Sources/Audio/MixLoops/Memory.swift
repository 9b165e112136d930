/// Greatest length of a block in frames. Blocks of 64 channels fit into the first-level cache.
///
/// It is also the distance in samples between rows of packed sources and of mixed sinks.
public let blockFrames = 64

/// Number of sinks that are mixed together, so that each sample that is loaded is used four times.
public let groupSinks = 4

/// Number of neighbouring stages that are followed together where a plan moves them together.
public let chunkStages = 16

/// Reads lanes at an element, whatever its alignment.
@inline(always) @_noLocks
func lanes(_ pointer: UnsafePointer<Float>, _ index: Int) -> Lanes {
  UnsafeRawPointer(pointer + index).loadUnaligned(as: Lanes.self)
}

/// Reads lanes at an element, whatever its alignment.
@inline(always) @_noLocks
func lanes(_ pointer: UnsafeMutablePointer<Float>, _ index: Int) -> Lanes {
  UnsafeRawPointer(pointer + index).loadUnaligned(as: Lanes.self)
}

/// Writes lanes at an element, whatever its alignment.
@inline(always) @_noLocks
func store(_ value: Lanes, _ pointer: UnsafeMutablePointer<Float>, _ index: Int) {
  UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: Lanes.self)
}

/// Reads a tile, whatever its alignment.
@inline(always) @_noLocks
func tile(_ pointer: UnsafePointer<Float>) -> Tile {
  UnsafeRawPointer(pointer).loadUnaligned(as: Tile.self)
}

/// Writes a tile, whatever its alignment.
@inline(always) @_noLocks
func store(_ value: Tile, _ pointer: UnsafeMutablePointer<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: Tile.self)
}

/// Absolute values as bit patterns. They have the same order as the values; infinities and NaN are the greatest.
@inline(always) @_noLocks
func magnitudes(_ value: Lanes) -> Words {
  unsafeBitCast(value, to: Words.self) & Words(repeating: 0x7fff_ffff)
}

/// The greater of each pair.
@inline(always) @_noLocks
func greater(_ left: Words, _ right: Words) -> Words {
  left.replacing(with: right, where: right .> left)
}

/// The absolute value of one sample as a bit pattern.
@inline(always) @_noLocks
func magnitude(_ value: Float) -> Int32 { Int32(truncatingIfNeeded: value.bitPattern & 0x7fff_ffff) }
