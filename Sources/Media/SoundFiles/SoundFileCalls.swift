import CSndfile
import SystemCalls

/// All calls into libsndfile, named after the C functions. No other file calls the library, which is loaded for the first file.
enum SoundFileCalls {
  private static let library = DynamicLibrary.functions(
    mr_sndfile(), mr_sndfile_names(), of: .soundFiles)

  /// Why no file can be opened; nil if the library is installed.
  static var missing: DynamicLibrary.Missing? {
    if case .failure(let missing) = library { missing } else { nil }
  }

  /// For all functions, once `missing` is nil.
  private static var calls: mr_sndfile { try! library.get() }

  struct Format {
    var channels = 0
    var sampleRate = 0
    var frames = 0
    var isVorbis = false

    init(_ info: SF_INFO) {
      (channels, sampleRate, frames) = (Int(info.channels), Int(info.samplerate), Int(info.frames))
      isVorbis = Int(info.format) & SF_FORMAT_SUBMASK == SF_FORMAT_VORBIS
    }
  }

  /// A text that a file has about itself.
  enum Text: Int32 {
    case title = 0x01
    case comment = 0x05
    case date = 0x06
    case artist = 0x04
    case album = 0x07
    case track = 0x09
    case genre = 0x10
  }

  /// Opens a descriptor and takes it over, also on failure: the library would close it in either case
  /// (libsndfile 1.2.0, although asked not to).
  static func openForReading(_ descriptor: Int32) -> (file: OpaquePointer?, format: Format) {
    var info = SF_INFO()
    let file = calls.sf_open_fd(descriptor, Int32(SFM_READ), &info, 1)
    return (file, Format(info))
  }

  /// Opens a part of a file. The descriptor stays the caller's, and the part must live as long as the file.
  static func openForReading(_ part: FilePart) -> (file: OpaquePointer?, format: Format) {
    var info = SF_INFO()
    var functions = SF_VIRTUAL_IO(
      get_filelen: { Int64(Self.part($0).size) },
      seek: { offset, origin, argument in
        let part = Self.part(argument)
        // SEEK_SET, SEEK_CUR and SEEK_END of the C library.
        part.place = max(0, Int(offset) + (origin == 1 ? part.place : origin == 2 ? part.size : 0))
        return Int64(part.place)
      },
      read: { target, count, argument in
        target.map { Int64(Self.part(argument).read($0, count: Int(count))) } ?? 0
      },
      write: { _, _, _ in 0 }, tell: { Int64(Self.part($0).place) })
    let file = calls.sf_open_virtual(
      &functions, Int32(SFM_READ), &info, Unmanaged.passUnretained(part).toOpaque())
    return (file, Format(info))
  }

  private static func part(_ argument: UnsafeMutableRawPointer?) -> FilePart {
    Unmanaged<FilePart>.fromOpaque(argument!).takeUnretainedValue()
  }

  static func text(_ file: OpaquePointer, _ text: Text) -> String? {
    calls.sf_get_string(file, text.rawValue).map { String(cString: $0) }
  }

  /// The library's sentence about a file if its last call failed.
  static func error(_ file: OpaquePointer) -> String? { calls.sf_error(file) == 0 ? nil : errorText(file) }

  /// How samples are stored in a file that is written.
  struct Coding {
    /// Container and coding, such as `SF_FORMAT_WAV | SF_FORMAT_PCM_16`.
    var kind: Int
    /// 0 to 1, from least work or best sound to the smallest file; nil for the library's own choice.
    var compression: Double?
    /// Becomes an RF64 file only when it passes 4 GiB.
    var isRF64 = false
    /// Has Ogg's pages written so often that little is lost when the program is ended.
    var hasShortPages = false
  }

  /// Opens a descriptor for writing and takes it over, also on failure.
  static func openForWriting(
    _ descriptor: Int32, _ coding: Coding, channels: Int, sampleRate: Int
  ) -> OpaquePointer? {
    var info = SF_INFO()
    info.channels = Int32(channels)
    info.samplerate = Int32(sampleRate)
    info.format = Int32(coding.kind)
    guard let file = calls.sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 1) else { return nil }
    // The peak chunk contains the time of writing; without it equal sounds make equal files.
    _ = calls.sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    // Formats of whole numbers would otherwise wrap samples beyond full scale.
    _ = calls.sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
    if coding.isRF64 { _ = calls.sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1) }
    let size = Int32(MemoryLayout<Double>.size)
    if coding.hasShortPages {
      var milliseconds = 200.0
      _ = calls.sf_command(file, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &milliseconds, size)
    }
    if var compression = coding.compression {
      _ = calls.sf_command(file, Int32(SFC_SET_COMPRESSION_LEVEL), &compression, size)
    }
    return file
  }

  static func setText(_ file: OpaquePointer, _ text: Text, _ value: String) {
    _ = calls.sf_set_string(file, text.rawValue, value)
  }

  /// Sets the broadcast extension of a wav file, before the first sample (EBU Tech 3285).
  static func setBroadcast(_ file: OpaquePointer, _ stamp: BroadcastStamp) {
    var info = SF_BROADCAST_INFO()
    fill(&info.description, stamp.description)
    fill(&info.originator, stamp.originator)
    fill(&info.origination_date, stamp.date)
    fill(&info.origination_time, stamp.time)
    info.time_reference_low = UInt32(truncatingIfNeeded: stamp.framesSinceMidnight)
    info.time_reference_high = UInt32(truncatingIfNeeded: stamp.framesSinceMidnight >> 32)
    info.version = 1
    _ = calls.sf_command(
      file, Int32(SFC_SET_BROADCAST_INFO), &info, Int32(MemoryLayout<SF_BROADCAST_INFO>.size))
  }

  /// The frame of the day at which a wav file says that it begins; nil without a broadcast extension.
  static func broadcastFrame(_ file: OpaquePointer) -> Int? {
    var info = SF_BROADCAST_INFO()
    let size = Int32(MemoryLayout<SF_BROADCAST_INFO>.size)
    guard calls.sf_command(file, Int32(SFC_GET_BROADCAST_INFO), &info, size) != 0 else { return nil }
    return Int(info.time_reference_high) << 32 | Int(info.time_reference_low)
  }

  private static func fill<Field>(_ field: inout Field, _ text: String) {
    withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: text.utf8.prefix($0.count)) }
  }

  /// Makes the header say what is written so far, so that other programs can read the file if this one is ended.
  /// Only for formats other than Ogg: libsndfile 1.2.0 destroys Vorbis files so.
  static func updateHeader(_ file: OpaquePointer) {
    _ = calls.sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
  }

  /// Waits until what was written is on the disk.
  static func writeSync(_ file: OpaquePointer) { calls.sf_write_sync(file) }

  /// Reads up to `frames` interleaved frames and returns their number, which is lower at the end of the file.
  static func read(_ file: OpaquePointer, _ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    Int(calls.sf_readf_float(file, samples, sf_count_t(frames)))
  }

  static func write(_ file: OpaquePointer, _ samples: UnsafePointer<Float>, frames: Int) -> Int {
    Int(calls.sf_writef_float(file, samples, sf_count_t(frames)))
  }

  /// Sets the position to a frame, counted from the start; false if that is impossible.
  static func seek(_ file: OpaquePointer, to frame: Int) -> Bool {
    calls.sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) >= 0
  }

  static func close(_ file: OpaquePointer) -> Bool { calls.sf_close(file) == 0 }

  /// libsndfile's sentence about the last error of a file, or with nil about the last failure to open one.
  static func errorText(_ file: OpaquePointer?) -> String {
    calls.sf_strerror(file).map { String(cString: $0) } ?? ""
  }
}
