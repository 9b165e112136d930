public import MixKernel

/// A kernel for a server's audio thread, with the object that owns its memory.
///
/// While the server is open only the audio thread uses the pointer. The owner stays alive until the server is
/// closed, even if the policy drops its own reference.
public struct HostedKernel: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<KernelState>
  private let owner: AnyObject

  public init(_ pointer: UnsafeMutablePointer<KernelState>, of owner: AnyObject) {
    (self.pointer, self.owner) = (pointer, owner)
  }
}
