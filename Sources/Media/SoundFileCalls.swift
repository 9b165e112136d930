import CSndfile

/// Every call into libsndfile, thin and named after the C call; nothing else in the package calls it.
enum SoundFileCalls {
  struct Format {
    var channels = 0
    var sampleRate = 0
    var frames = 0
  }

  static func openForReading(_ path: String) -> (file: OpaquePointer?, format: Format) {
    var info = SF_INFO()
    let file = sf_open(path, Int32(SFM_READ), &info)
    return (
      file,
      Format(channels: Int(info.channels), sampleRate: Int(info.samplerate), frames: Int(info.frames))
    )
  }

  /// Opens a WAV of 32-bit floats.
  static func openForWriting(_ path: String, channels: Int, sampleRate: Int) -> OpaquePointer? {
    var info = SF_INFO()
    info.channels = Int32(channels)
    info.samplerate = Int32(sampleRate)
    info.format = Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
    let file = sf_open(path, Int32(SFM_WRITE), &info)
    // The peak chunk holds the time of writing; without it equal sound makes equal files.
    if let file { _ = sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0) }
    return file
  }

  /// Reads up to `frames` interleaved frames; fewer at the end of the file.
  static func read(_ file: OpaquePointer, _ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    Int(sf_readf_float(file, samples, sf_count_t(frames)))
  }

  static func write(_ file: OpaquePointer, _ samples: UnsafePointer<Float>, frames: Int) -> Int {
    Int(sf_writef_float(file, samples, sf_count_t(frames)))
  }

  /// Goes to a frame counted from the start; false if the file cannot.
  static func seek(_ file: OpaquePointer, to frame: Int) -> Bool {
    sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) >= 0
  }

  static func close(_ file: OpaquePointer) -> Bool { sf_close(file) == 0 }

  /// The library's sentence about the last error, of a file or of the last attempt to open one.
  static func errorText(_ file: OpaquePointer?) -> String { String(cString: sf_strerror(file)) }
}
