/// Something that happened at a place of a tap's ring.
package struct TapMark: BitwiseCopyable, Equatable, Sendable {
  /// No enumeration: the compiler makes those hashable, which needs the language's runtime.
  package struct Kind: BitwiseCopyable, Equatable, Sendable {
    private let number: UInt8

    @_noLocks
    private init(_ number: UInt8) { self.number = number }

    /// The recording begins, or goes on, with the next frame.
    package static var begin: Kind { @_noLocks get { Kind(0) } }
    /// The frame before was the last one.
    package static var end: Kind { @_noLocks get { Kind(1) } }
    /// So many frames are missing here, because the ring was full.
    package static var gap: Kind { @_noLocks get { Kind(2) } }
  }

  package var kind: Kind
  /// Frames that were written into the ring before.
  package var place: Int
  /// Of a gap, its length in frames; of a beginning, the frame at which it is, in the count of `RecorderTap.begin`.
  package var number: Int

  @_noLocks
  package init(_ kind: Kind, place: Int, number: Int) {
    (self.kind, self.place, self.number) = (kind, place, number)
  }
}
