import MediaKernel
import Synchronization

extension Player {
  /// Whether the player is on its way to a place: the last seek, or the first item of a new list, is not heard yet, and would not be.
  public var isSeeking: Bool {
    wish.withLock { wish in
      wish.isPrepared && wish.madeGeneration < wish.placeGeneration
        && store.current?.generation ?? 0 < wish.placeGeneration
    }
  }
}
