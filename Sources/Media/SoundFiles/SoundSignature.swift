/// What the first bytes of a file say about its content. Only these formats are opened: the libraries know many historic ones, whose
/// decoders are less tested.
enum SoundSignature: Equatable {
  /// A container that libsndfile reads.
  case sndfile
  /// MPEG audio, layer 1 to 3.
  case mpeg
  /// FLAC in Ogg.
  case oggFlac
  /// Sound that is not read, by the name of its format.
  case foreign(String)
  case unknown

  /// Bytes that the decision takes, from the start of the file and again from the end of a tag.
  static let length = 40

  /// - Parameters:
  ///   - bytes: the first bytes of the file.
  ///   - later: gives bytes from a later position in the file.
  init(_ bytes: [UInt8], later: (_ position: Int) -> [UInt8]) {
    guard Self.has(bytes, "ID3"), bytes.count >= 10 else {
      self = Self.plain(bytes)
      return
    }
    // A tag may precede other formats than MPEG. Its size has seven bits in each byte (id3.org, ID3v2.4.0, section 3.1).
    let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    let behind = Self.plain(later(10 + size))
    self = behind == .unknown ? .mpeg : behind
  }

  private static func plain(_ bytes: [UInt8]) -> SoundSignature {
    if ["RIFF", "RIFX", "RF64"].contains(where: { has(bytes, $0) }) {
      return has(bytes, "WAVE", at: 8) ? .sndfile : .unknown
    }
    if has(bytes, "FORM") { return has(bytes, "AIF", at: 8) ? .sndfile : .unknown }
    // The first packet of the first page.
    if has(bytes, "OggS"), has(bytes, "\u{7F}FLAC", at: 28) { return .oggFlac }
    // `riff` in small letters begins a Wave64 file.
    if ["riff", "caff", ".snd", "fLaC", "OggS"].contains(where: { has(bytes, $0) }) { return .sndfile }
    if has(bytes, "ftyp", at: 4) { return .foreign("MPEG-4 audio (m4a, AAC)") }
    if has(bytes, "ADIF") || isADTS(bytes) { return .foreign("AAC") }
    if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75]) { return .foreign("Windows Media audio") }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .foreign("Matroska or WebM") }
    return isMPEG(bytes) ? .mpeg : .unknown
  }

  private static func has(_ bytes: [UInt8], _ word: String, at position: Int = 0) -> Bool {
    bytes.dropFirst(position).starts(with: word.utf8)
  }

  /// Whether a header of an AAC frame is at the start: twelve bits of ones and the layer 0 (ISO 13818-7).
  private static func isADTS(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xF6 == 0xF0
  }

  /// Whether a header of an MPEG audio frame is at the start: eleven bits of ones, a version, a layer, a bit rate and a sample rate that are
  /// not reserved (ISO 11172-3, 2.4.2.3).
  private static func isMPEG(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
    return bytes[1] & 0x18 != 0x08 && bytes[1] & 0x06 != 0 && bytes[2] & 0xF0 != 0xF0
      && bytes[2] & 0x0C != 0x0C
  }
}
