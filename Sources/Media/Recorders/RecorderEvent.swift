public import SoundFiles

/// What a recorder tells its owner, on the writer thread.
public enum RecorderEvent: Hashable, Sendable {
  /// The audio thread has obeyed `prepare`: the recorder begins at once when it is told to.
  case prepared
  /// A file was begun, at this path. `frame` is the first one in the count of the plan's periods; with `before`, the file begins earlier.
  case started(path: String, frame: Int)
  /// The recording goes on in the same file, from this frame on.
  case resumed(frame: Int)
  /// The recording rests, with so many seconds in the file.
  case paused(seconds: Double)
  /// A file is finished. It is valid, whatever the reason.
  case finished(path: String, seconds: Double, RecordingEnd)
  /// No file could be begun.
  case failed(MediaError)
  /// The disk was too slow: silence stands for so many frames, all times together.
  case lost(frames: Int)
}

/// Why a recording ended.
public enum RecordingEnd: Hashable, Sendable {
  /// The recorder was stopped or closed.
  case stopped
  /// The file has the longest length.
  case limit
  /// The file could not be written on: the disk is full, or the file was removed.
  case failed(MediaError)
}
