/// For which processors the loops of the audio thread are built; all builds give the same samples bit for bit.
public enum LoopBuild: Comparable, CaseIterable, Sendable {
  /// For every processor.
  case any
  /// For x86-64-v3: AVX2 and fused products.
  case v3
  /// The matrix for x86-64-v4, AVX-512, and the rest as `v3`.
  case v4
}
