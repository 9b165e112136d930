/// Does the same as `mixStill` for a group with few crosspoints: a row costs nothing at the sinks that do not hear it.
/// - Parameters:
///   - crosspoints: for each of the four sinks the number of its crosspoints, and then for each of these two words: the index of the source's
///     first sample in `packed`, and the index of the gain in `gains`. They are in the order of the group's rows.
///   Others as in `mixStill`.
@inline(never) @_noLocks
public func mixSparse(
  _ crosspoints: UnsafePointer<Int32>, packed: UnsafePointer<Float>, gains: UnsafePointer<Float>,
  frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, peaks: UnsafeMutablePointer<Int32>
) {
  var (next, peakOfEach) = (crosspoints, Peaks())
  for sink in 0..<groupSinks {
    let count = Int(next[0])
    let (first, output) = (next + 1, outputs[sink])
    var peak = Words(repeating: 0)
    var frame = 0
    while frame < frames {
      let input = packed + frame
      var (sum, crosspoint) = (Wide.silence(), first)
      for _ in 0..<count {
        sum = sum.adding(Wide.read(input + Int(crosspoint[0])), gains[Int(crosspoint[1])])
        crosspoint += 2
      }
      sum.write(output + frame)
      sum.raise(&peak)
      frame &+= Wide.frames
    }
    peakOfEach.append(peak)
    next = first + 2 &* count
  }
  // One store: after four, a caller that reads all four words at once would wait until these, and all samples before them, are in the cache.
  UnsafeMutableRawPointer(peaks).storeBytes(of: peakOfEach.greatest(), as: SIMD4<Int32>.self)
}
