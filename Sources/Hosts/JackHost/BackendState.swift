import JackClient
import MixKernel

/// The state of the router's process callback; lives behind a pointer from `open` to `close`.
struct BackendState: ~Copyable {
  let cycle: UnsafeMutablePointer<JackCycle>
  let kernel: UnsafeMutablePointer<KernelState>

  init(cycle: UnsafeMutablePointer<JackCycle>, kernel: UnsafeMutablePointer<KernelState>) {
    (self.cycle, self.kernel) = (cycle, kernel)
  }

  /// Adopts the newest plan, gives the kernel the buffers of that plan's ports, and mixes.
  @_noLocks func process(frames: UInt32) {
    _ = cycle.pointee.enter(frames: frames)
    kernel.pointee.adopt()
    JackCalls.buffers(
      of: kernel.pointee.sourceHandles(), count: kernel.pointee.sourceCount(), frames: frames,
      into: kernel.pointee.sourceBuffers())
    JackCalls.buffers(
      of: kernel.pointee.sinkHandles(), count: kernel.pointee.sinkCount(), frames: frames,
      into: kernel.pointee.sinkBuffers())
    kernel.pointee.run(
      frames: Int(frames), waits: cycle.pointee.isFreewheeling(), lost: cycle.pointee.skippedFrames())
    cycle.pointee.leave(frames: frames)
  }
}

/// The router's process callback. It always returns 0: the server silently drops a client that returns
/// anything else.
@c @_noLocks func processBackend(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { argument.assumingMemoryBound(to: BackendState.self).pointee.process(frames: frames) }
  return 0
}
