/// Memory in which one group of four sinks is mixed.
package struct Scratch: BitwiseCopyable {
  /// Four blocks, one for each sink.
  package var rows: UnsafeMutablePointer<Float>
  /// One further block, for crossfades between delays.
  package var spare: UnsafeMutablePointer<Float>
  /// The memory into which each of the four sinks is mixed.
  package var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Bit pattern of each sink's greatest magnitude.
  package var peaks: UnsafeMutablePointer<Int32>
  /// How far all gains have gone from the block's start to its end, for each frame.
  package var ways: UnsafeMutablePointer<Float>

  package init(
    rows: UnsafeMutablePointer<Float>, spare: UnsafeMutablePointer<Float>,
    outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>,
    ways: UnsafeMutablePointer<Float>
  ) {
    (self.rows, self.spare, self.outputs, self.peaks) = (rows, spare, outputs, peaks)
    self.ways = ways
  }
}
