/// Why nothing comes from the programs of a stream.
public enum StreamSilence: Equatable, Sendable {
  /// No program is connected to the stream.
  case unconnected
  /// The programs are connected, and send less than -80 dBFS.
  case quiet

  /// A clause about the stream.
  var sentence: String {
    switch self {
    case .unconnected: "no program is connected"
    case .quiet: "connected, and silent"
    }
  }
}
