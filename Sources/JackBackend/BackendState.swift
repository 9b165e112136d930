import JackClient
import MixKernel

/// What the router's process callback works on; lives behind a pointer from open to close.
struct BackendState: ~Copyable {
  let cycle: UnsafeMutablePointer<JackCycle>
  let kernel: UnsafeMutablePointer<KernelState>

  init(cycle: UnsafeMutablePointer<JackCycle>, kernel: UnsafeMutablePointer<KernelState>) {
    (self.cycle, self.kernel) = (cycle, kernel)
  }

  /// Adopts the newest plan, shows the kernel the buffers of that plan's ports, and mixes.
  @_noLocks func process(frames: UInt32) {
    _ = cycle.pointee.enter(frames: frames)
    kernel.pointee.adopt()
    JackCalls.buffers(
      of: kernel.pointee.sourceHandles(), count: kernel.pointee.sourceCount(), frames: frames,
      into: kernel.pointee.sourceBuffers())
    JackCalls.buffers(
      of: kernel.pointee.sinkHandles(), count: kernel.pointee.sinkCount(), frames: frames,
      into: kernel.pointee.sinkBuffers())
    kernel.pointee.run(frames: Int(frames))
    cycle.pointee.leave(frames: frames)
  }
}

/// The router's process callback; never anything but 0, since the server silently drops a client that returns otherwise.
@c @_noLocks func processBackend(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { argument.assumingMemoryBound(to: BackendState.self).pointee.process(frames: frames) }
  return 0
}
