import CMpg123
import SystemCalls

/// All calls into libmpg123, named after the C functions. No other file calls the library, which is loaded for the first mp3.
enum Mpg123Calls {
  private static let library = DynamicLibrary.functions(
    mr_mpg123(), mr_mpg123_names(), of: .mp3)

  /// For all functions but `open`, without which they have nothing to work on.
  private static var calls: mr_mpg123 { try! library.get() }

  /// The library's sentence about why it does not read a file.
  struct Failure: Error {
    var reason: String
  }

  /// Opens a descriptor, which stays the caller's.
  static func open(_ descriptor: Int32) throws(Failure) -> OpaquePointer {
    if case .failure(let missing) = library { throw Failure(reason: missing.description) }
    var code: Int32 = 0
    guard let file = calls.mpg123_new(nil, &code) else {
      throw Failure(reason: text(calls.mpg123_plain_strerror(code)))
    }
    // Without resampling, and without messages on standard error.
    let flags = MPG123_FORCE_FLOAT.rawValue | MPG123_GAPLESS.rawValue | MPG123_QUIET.rawValue
    _ = calls.mpg123_param2(file, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_AUTO_RESAMPLE.rawValue), 0)
    _ = calls.mpg123_param2(file, Int32(MPG123_ADD_FLAGS.rawValue), Int(flags), 0)
    guard calls.mpg123_open_fd(file, descriptor) == MPG123_OK.rawValue else {
      defer { delete(file) }
      throw failure(file)
    }
    return file
  }

  static func scan(_ file: OpaquePointer) throws(Failure) {
    guard calls.mpg123_scan(file) == MPG123_OK.rawValue else { throw failure(file) }
  }

  /// Refuses a file whose frames are of different layers or versions of MPEG audio, by looking at all headers.
  ///
  /// The library makes its buffer for one kind of frame. After a scan or a jump it misses a change to a longer kind, and writes beyond the
  /// buffer: seen with version 1.31.2, although it has the mend of CVE-2024-10573.
  static func requireOneKind(_ file: OpaquePointer) throws(Failure) {
    guard seek(file, to: 0) else { throw failure(file) }
    var first: mpg123_frameinfo2?
    while true {
      let code = calls.mpg123_framebyframe_next(file)
      var frame = mpg123_frameinfo2()
      guard code == MPG123_OK.rawValue || code == MPG123_NEW_FORMAT.rawValue,
        calls.mpg123_info2(file, &frame) == MPG123_OK.rawValue
      else { break }
      let kind = first ?? frame
      guard frame.layer == kind.layer, frame.version == kind.version else {
        throw Failure(reason: "its frames change from layer \(kind.layer) of MPEG audio to another kind")
      }
      first = kind
    }
    guard seek(file, to: 0) else { throw failure(file) }
  }

  /// Makes the format of the first frame that of the whole file, and returns it.
  static func fixFormat(_ file: OpaquePointer) throws(Failure) -> (channels: Int, sampleRate: Int) {
    var (rate, channels, encoding): (Int, Int32, Int32) = (0, 0, 0)
    guard calls.mpg123_getformat(file, &rate, &channels, &encoding) == MPG123_OK.rawValue,
      calls.mpg123_format_none(file) == MPG123_OK.rawValue,
      calls.mpg123_format(file, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue)) == MPG123_OK.rawValue
    else { throw failure(file) }
    return (Int(channels), rate)
  }

  /// The length in frames; nil if it is unknown.
  static func length(_ file: OpaquePointer) -> Int? {
    let length = calls.mpg123_length(file)
    return length >= 0 ? length : nil
  }

  /// Reads values until there are so many, or until the end, or until the library fails.
  static func read(
    _ file: OpaquePointer, _ samples: UnsafeMutablePointer<Float>, values: Int
  ) -> (values: Int, failure: String?) {
    var count = 0
    while count < values {
      var bytes = 0
      let code = calls.mpg123_read(
        file, samples + count, (values - count) * MemoryLayout<Float>.size, &bytes)
      count += bytes / MemoryLayout<Float>.size
      switch code {
      case MPG123_OK.rawValue where bytes > 0, MPG123_NEW_FORMAT.rawValue: continue
      case MPG123_OK.rawValue, MPG123_DONE.rawValue, MPG123_NEED_MORE.rawValue: return (count, nil)
      default: return (count, failure(file).reason)
      }
    }
    return (count, nil)
  }

  /// Sets the position to a frame, counted from the start (`SEEK_SET`, which is 0); false if that is impossible.
  static func seek(_ file: OpaquePointer, to frame: Int) -> Bool { calls.mpg123_seek(file, frame, 0) >= 0 }

  static func delete(_ file: OpaquePointer) { calls.mpg123_delete(file) }

  /// The texts of an ID3 tag.
  static func tags(_ file: OpaquePointer) -> SoundTags {
    var tags = SoundTags()
    var older: UnsafeMutablePointer<mpg123_id3v1>?
    var newer: UnsafeMutablePointer<mpg123_id3v2>?
    guard calls.mpg123_id3(file, &older, &newer) == MPG123_OK.rawValue else { return tags }
    if let newer = newer?.pointee {
      (tags.title, tags.artist, tags.album) = (text(newer.title), text(newer.artist), text(newer.album))
      (tags.date, tags.genre, tags.comment) = (text(newer.year), text(newer.genre), text(newer.comment))
      for index in 0..<newer.texts where newer.text[index].id == (0x54, 0x52, 0x43, 0x4B) {
        // The field TRCK.
        withUnsafeMutablePointer(to: &newer.text[index].text) { tags.track = text($0) }
      }
    } else if let older {
      tags.title = withUnsafeBytes(of: older.pointee.title) { latin($0) }
      tags.artist = withUnsafeBytes(of: older.pointee.artist) { latin($0) }
      tags.album = withUnsafeBytes(of: older.pointee.album) { latin($0) }
      tags.date = withUnsafeBytes(of: older.pointee.year) { latin($0) }
      tags.comment = withUnsafeBytes(of: older.pointee.comment) { latin($0) }
    }
    return tags
  }

  /// The first of the texts in a field.
  private static func text(_ string: UnsafeMutablePointer<mpg123_string>?) -> String? {
    guard let string = string?.pointee, let bytes = string.p, string.fill > 1 else { return nil }
    let raw = UnsafeRawBufferPointer(start: bytes, count: string.fill).prefix { $0 != 0 }
    return raw.isEmpty ? nil : String(decoding: raw, as: UTF8.self)
  }

  /// A text of the older tag, which is padded with zeros or spaces.
  private static func latin(_ bytes: UnsafeRawBufferPointer) -> String? {
    let scalars = bytes.prefix { $0 != 0 }.map { Character(Unicode.Scalar($0)) }
    let text = String(scalars[..<(scalars.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)])
    return text.isEmpty ? nil : text
  }

  private static func text(_ words: UnsafePointer<CChar>?) -> String {
    words.map { String(cString: $0) } ?? ""
  }

  private static func failure(_ file: OpaquePointer) -> Failure {
    Failure(reason: text(calls.mpg123_strerror(file)))
  }
}
