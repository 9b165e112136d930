/// Room for one group of sinks while it is mixed.
package struct Scratch: BitwiseCopyable {
  /// Four blocks.
  package var rows: UnsafeMutablePointer<Float>
  /// One block.
  package var spare: UnsafeMutablePointer<Float>
  /// Where each of the four goes.
  package var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Bit pattern of each one's greatest magnitude.
  package var peaks: UnsafeMutablePointer<Int32>

  package init(
    rows: UnsafeMutablePointer<Float>, spare: UnsafeMutablePointer<Float>,
    outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
  ) {
    (self.rows, self.spare, self.outputs, self.peaks) = (rows, spare, outputs, peaks)
  }
}
