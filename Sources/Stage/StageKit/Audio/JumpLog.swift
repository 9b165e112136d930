import Synchronization

/// A place in a recording at which the server's frame time did not go on where the period before had ended.
public struct ClockJump: Hashable, Sendable {
  /// The first frame of the recording behind the jump.
  public var frame: Int
  /// Frames of the server's time that are missing before that frame; negative if the time went back.
  public var missing: Int

  /// - Parameters:
  ///   - frame: counted from 0.
  ///   - missing: in frames.
  public init(frame: Int, missing: Int) { (self.frame, self.missing) = (frame, missing) }
}

/// The jumps of the server's frame time during one recording: the audio thread adds them, any thread may read them.
struct JumpLog: ~Copyable {
  /// How many jumps have their place kept; those that come later are only counted.
  private static var capacity: Int { @_noLocks get { 16_384 } }

  private let places: UnsafeMutablePointer<ClockJump>
  private let total = Atomic<Int>(0)

  init() {
    places = .allocate(capacity: Self.capacity)
    places.initialize(repeating: ClockJump(frame: 0, missing: 0), count: Self.capacity)
  }

  deinit { places.deallocate() }

  /// Adds a jump; the audio thread only.
  @_noLocks func add(frame: Int, missing: Int32) {
    let index = total.load(ordering: .relaxed)
    if index < Self.capacity {
      places[index].frame = frame
      places[index].missing = Int(missing)
    }
    total.store(index + 1, ordering: .releasing)
  }

  /// How many jumps there were, those without a place included.
  var count: Int { total.load(ordering: .acquiring) }

  /// The first jumps, as many as have a place.
  var jumps: [ClockJump] { (0..<min(count, Self.capacity)).map { places[$0] } }
}
