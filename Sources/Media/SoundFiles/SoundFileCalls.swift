import CSndfile

/// All calls into libsndfile, named after the C functions. No other file calls the library.
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

  static func openForWriting(
    _ path: String, _ format: SoundFileFormat, channels: Int, sampleRate: Int
  ) -> OpaquePointer? {
    var info = SF_INFO()
    info.channels = Int32(channels)
    info.samplerate = Int32(sampleRate)
    info.format = Int32(kind(format))
    let file = sf_open(path, Int32(SFM_WRITE), &info)
    // The peak chunk contains the time of writing; without it equal sounds make equal files.
    if let file {
      _ = sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
      // Formats of whole numbers would otherwise wrap samples beyond full scale.
      _ = sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
    }
    return file
  }

  private static func kind(_ format: SoundFileFormat) -> Int {
    switch format {
    // The extensible header, because programs such as sox complain about floats with the short header.
    case .wav: SF_FORMAT_WAVEX | SF_FORMAT_FLOAT
    case .flac: SF_FORMAT_FLAC | SF_FORMAT_PCM_24
    case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
    case .aiff: SF_FORMAT_AIFF | SF_FORMAT_FLOAT
    }
  }

  /// Reads up to `frames` interleaved frames and returns their number, which is lower at the end of the file.
  static func read(_ file: OpaquePointer, _ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    Int(sf_readf_float(file, samples, sf_count_t(frames)))
  }

  static func write(_ file: OpaquePointer, _ samples: UnsafePointer<Float>, frames: Int) -> Int {
    Int(sf_writef_float(file, samples, sf_count_t(frames)))
  }

  /// Sets the position to a frame, counted from the start; false if that is impossible.
  static func seek(_ file: OpaquePointer, to frame: Int) -> Bool {
    sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) >= 0
  }

  static func close(_ file: OpaquePointer) -> Bool { sf_close(file) == 0 }

  /// libsndfile's sentence about the last error of a file, or with nil about the last failure to open one.
  static func errorText(_ file: OpaquePointer?) -> String { String(cString: sf_strerror(file)) }
}
