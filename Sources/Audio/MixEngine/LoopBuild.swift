/// The builds of the audio thread's loops, for older and newer processors. All builds give the same samples, bit for bit.
public enum LoopBuild: Comparable, CaseIterable, Sendable {
  /// The build for every processor.
  case any
  /// The build for x86-64-v3, which has AVX2 and fused multiply-add.
  case v3
  /// The matrix is built for x86-64-v4, which has AVX-512; the other loops are those of `v3`.
  case v4
}
