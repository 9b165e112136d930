package import Rings
package import Synchronization

/// What the audio thread and the writer thread tell each other about a recorder's tap.
public struct TapHandover: ~Copyable {
  /// Where frames go; nil while the recorder is not prepared.
  package let ring = Atomic<UnsafeMutablePointer<SampleRing>?>(nil)
  /// The serial of the last order that took effect.
  package let obeyed = Atomic<Int>(0)
  /// Frames of the recording that were left out.
  package let lost = Atomic<Int>(0)
  private let marks: UnsafeMutablePointer<TapMark>
  private let pushed = Atomic<Int>(0)
  private let popped = Atomic<Int>(0)

  /// Marks for which there is room.
  package static var room: Int { @_noLocks get { 256 } }

  /// - Parameter marks: memory for `room` marks, which the caller frees.
  package init(marks: UnsafeMutablePointer<TapMark>) { self.marks = marks }

  /// Adds a mark; false if there is no room. The audio thread alone.
  @_noLocks
  package func push(_ mark: TapMark) -> Bool {
    let count = pushed.load(ordering: .relaxed)
    guard count &- popped.load(ordering: .acquiring) < Self.room else { return false }
    marks[count & (Self.room &- 1)] = mark
    pushed.store(count &+ 1, ordering: .releasing)
    return true
  }

  /// The oldest mark; nil if there is none. The writer thread alone.
  @_noLocks
  package func first() -> TapMark? {
    let count = popped.load(ordering: .relaxed)
    return count == pushed.load(ordering: .acquiring) ? nil : marks[count & (Self.room - 1)]
  }

  /// Takes the oldest mark away. The writer thread alone.
  @_noLocks
  package func pop() { popped.store(popped.load(ordering: .relaxed) + 1, ordering: .releasing) }
}
