import MixEngine

/// The steps in which the router joins an audio server.
enum ServerPhase {
  /// The router has no server and looks for one.
  case seeking
  /// The router has found a server and joins it with this engine.
  case opening(MixEngine)
  case connected(Connection)
}
