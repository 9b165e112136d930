import Rings
import Synchronization

/// The audio thread's end of one listener: it writes samples into the listener's ring, and notes the server's times of the periods.
struct ListenerTap: ~Copyable {
  /// The ring of the listener, which frees it after this tap.
  private let ring: UnsafeMutablePointer<SampleRing>
  /// Where the server's frame time jumped between two periods: frames that the server itself left out.
  let jumpLog = JumpLog()
  private let firstTime = Atomic<Int>(-1)
  /// Used by the audio thread only.
  private var expectedTime: UInt32 = 0

  init(_ ring: UnsafeMutablePointer<SampleRing>) { self.ring = ring }

  /// Notes a period before its channels are written; false if there is no room, and then the period is lost.
  @_noLocks mutating func begin(time: UInt32, frames: Int) -> Bool {
    if firstTime.load(ordering: .relaxed) < 0 {
      firstTime.store(Int(time), ordering: .relaxed)
    } else if time != expectedTime {
      jumpLog.add(
        frame: ring.pointee.framesWritten(), missing: Int32(truncatingIfNeeded: time &- expectedTime))
    }
    expectedTime = time &+ UInt32(truncatingIfNeeded: frames)
    return ring.pointee.beginWriting(frames: frames)
  }

  /// Writes one channel of the period that `begin` noted.
  @_noLocks func write(channel: Int, from input: UnsafeMutablePointer<Float>, frames: Int) {
    ring.pointee.write(channel: channel, from: input, frames: frames)
  }

  /// Makes the period visible to the reader.
  @_noLocks func end(frames: Int) { ring.pointee.endWriting(frames: frames) }

  /// The server's time of the first frame, nil before it came.
  var startTime: UInt32? {
    let time = firstTime.load(ordering: .relaxed)
    return time < 0 ? nil : UInt32(truncatingIfNeeded: time)
  }
}
