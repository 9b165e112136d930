import Queues
import SessionModel

extension NowPlaying {
  /// The values of all properties of the player but `Position`, as MPRIS names them.
  static func properties(_ now: NowPlaying?) -> [String: BusValue] {
    [
      "PlaybackStatus": .string((now?.status ?? .stopped).rawValue),
      "LoopStatus": .string((now?.repeatMode ?? .none).loopStatus),
      "Rate": .double(now?.rate ?? 1),
      "Shuffle": .bool(now?.isShuffled ?? false),
      "Metadata": .table(now?.track.map(\.metadata) ?? [:]),
      "Volume": .double(Double((now?.gain ?? .unity).amplitude)),
      "MinimumRate": .double(now?.rates.lowerBound ?? 1),
      "MaximumRate": .double(now?.rates.upperBound ?? 1),
      "CanGoNext": .bool(now?.canGoNext ?? false),
      "CanGoPrevious": .bool(now?.canGoPrevious ?? false),
      "CanPlay": .bool(now?.canPlay ?? false),
      "CanPause": .bool(now?.canPause ?? false),
      "CanSeek": .bool(now?.canSeek ?? false),
      "CanControl": .bool(true),
    ]
  }

  /// The level of a volume that the desktop sets. MPRIS has linear amplitudes, 1 for the full level: 0.5 is -6 dB. More than 1 is 1, so that no
  /// slider of the desktop amplifies.
  static func gain(volume: Double) -> Decibels { Decibels(amplitude: min(max(volume, 0), 1)) }

  /// A time in the unit of MPRIS.
  static func microseconds(_ seconds: Double) -> BusValue {
    .int(seconds.isFinite ? Int64((min(max(seconds, -1e9), 1e9) * 1e6).rounded()) : 0)
  }
}

extension RepeatMode {
  /// The value of `LoopStatus`.
  var loopStatus: String {
    switch self {
    case .none: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }
}

extension NowPlaying.Track {
  /// The object that stands for the track: its id, with all but letters and digits of ASCII as their bytes, since the path of an object can have no
  /// others.
  var path: String {
    let name = id.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? String(scalar) : "_" + Self.hexadecimal(byte)
    }
    return "/multiroute/track/" + (name.isEmpty ? "_" : name.joined())
  }

  fileprivate var metadata: [String: BusValue] {
    var table: [String: BusValue] = ["mpris:trackid": .path(path)]
    if let length { table["mpris:length"] = NowPlaying.microseconds(length) }
    if let cover { table["mpris:artUrl"] = .string(Self.url(ofFile: cover)) }
    if !title.isEmpty { table["xesam:title"] = .string(title) }
    if !artists.isEmpty { table["xesam:artist"] = .strings(artists) }
    if !album.isEmpty { table["xesam:album"] = .string(album) }
    return table
  }

  private static func url(ofFile path: String) -> String {
    "file://"
      + path.utf8.map { byte in
        let scalar = Unicode.Scalar(byte)
        let isPlain =
          scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "/-._~".unicodeScalars.contains(scalar))
        return isPlain ? String(scalar) : "%" + hexadecimal(byte)
      }.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
