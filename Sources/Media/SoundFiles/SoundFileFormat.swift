/// A format in which sound files are written. The ending of a file's name decides.
public enum SoundFileFormat: CaseIterable, Sendable {
  /// 32-bit floats; samples beyond full scale are kept.
  case wav
  /// 24 bits, compressed without loss; samples beyond full scale are clipped.
  case flac
  /// Vorbis, compressed with loss.
  case ogg
  /// 32-bit floats; samples beyond full scale are kept.
  case aiff
  /// Opus in Ogg, compressed with loss, at one of `SoundCoding.opusRates`.
  case opus

  /// The endings of file names, in lower case; the first is the usual one.
  public var endings: [String] {
    switch self {
    case .wav: ["wav"]
    case .flac: ["flac"]
    case .ogg: ["ogg", "oga"]
    case .aiff: ["aiff", "aif"]
    case .opus: ["opus"]
    }
  }

  /// The format of a file by the ending of its name; nil if the ending is unknown or missing.
  public init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = format
  }
}
