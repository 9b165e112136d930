public import SoundFiles

/// What a recorder tells its owner, on the writer thread.
public enum RecorderEvent: Hashable, Sendable {
  /// A file was begun, at this path.
  case started(path: String)
  /// A file is finished. `isLimit` says that it has reached the longest length.
  case finished(path: String, seconds: Double, isLimit: Bool)
  /// The file could not be begun, or not be written on. What was written so far is a valid file, if there is one.
  case failed(MediaError)
  /// The disk was too slow: silence stands for so many frames, all times together.
  case lost(frames: Int)
}
