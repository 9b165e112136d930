import SystemCalls

/// A thread that works at a pace while there is something to do, and sleeps until it is woken while there is nothing.
///
/// Threads that serve the audio thread are paced, because the audio thread cannot wake anyone.
public final class PacedThread: Sendable {
  /// When a pass is followed by the next one.
  public enum Pace: Sendable {
    case atOnce
    case after(milliseconds: Int32)
    /// When the bell rings.
    case woken
  }

  /// Wakes a paced thread. Those who wake the thread keep the bell and not the thread, which could otherwise be left to end itself.
  public final class Bell: Sendable {
    fileprivate let descriptor: Int32

    public init() {
      do throws(SystemError) { descriptor = try System.eventfd() } catch {
        preconditionFailure("no descriptors are left: \(error)")
      }
    }

    deinit { System.close(descriptor) }

    /// Makes the thread do a pass soon. Any thread but the audio thread; never waits.
    public func ring() { System.eventfd_write(descriptor) }
  }

  private let thread: WorkThread
  private let clock = PassClock()

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the name that `top -H` shows, at most 15 bytes.
  ///   - bell: wakes the thread.
  ///   - pass: does what there is to do and returns when to do it again. It must return soon.
  public init(name: String, bell: Bell, pass: @escaping @Sendable () -> Pace) {
    thread = WorkThread(name: name) { [clock] stop in
      while true {
        let begin = MonotonicTime.now
        let pace = pass()
        clock.note(seconds: MonotonicTime.now - begin)
        let milliseconds: Int32 =
          switch pace {
          case .atOnce: 0
          case .after(let milliseconds): milliseconds
          case .woken: -1
          }
        let ready = (try? System.poll([stop, bell.descriptor], milliseconds: milliseconds)) ?? [true, false]
        if ready[0] { return }
        if ready[1] { System.eventfd_read(bell.descriptor) }
      }
    }
  }

  deinit { thread.stop() }

  /// Lets the present pass end and waits for it. Calling it again has no effect. The thread itself must not call it.
  public func stop() { thread.stop() }

  /// The passes since the start, without the present one. Any thread.
  public var passes: PassTimes { clock.times }

  /// Seconds of the longest pass that has ended since the last call; 0 if none has. Any thread.
  public func takeLongestPass() -> Double { clock.takeLongest() }
}
