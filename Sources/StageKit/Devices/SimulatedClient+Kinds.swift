extension SimulatedClient {
  /// Plugs in a simulated sound device: physical, terminal ports `playback_n` and `capture_n`.
  ///
  /// - Parameters:
  ///   - playback: number of channels that can be recorded.
  ///   - capture: what the device picks up from the world, one signal per channel.
  ///   - captureLatency: frames it declares from the world to its capture ports.
  ///   - playbackLatency: frames it declares from its playback ports to the world.
  /// - Throws: `StageError.jack`.
  public static func device(
    _ name: String, server: String?, playback: Int, capture: [Signal] = [], captureLatency: Int = 0,
    playbackLatency: Int = 0
  ) throws(StageError) -> SimulatedClient {
    var layout = Layout(
      inputs: (0..<playback).map { "playback_\($0 + 1)" },
      outputs: capture.indices.map { "capture_\($0 + 1)" }, isDevice: true)
    (layout.captureLatency, layout.playbackLatency) = (captureLatency, playbackLatency)
    return try SimulatedClient(name: name, server: server, layout: layout, signals: capture)
  }

  /// Starts a simulated program that plays one signal per output port `out_n`.
  ///
  /// - Throws: `StageError.jack`.
  public static func source(
    _ name: String, server: String?, signals: [Signal]
  ) throws(StageError) -> SimulatedClient {
    let layout = Layout(outputs: signals.indices.map { "out_\($0 + 1)" }, isDevice: false)
    return try SimulatedClient(name: name, server: server, layout: layout, signals: signals)
  }

  /// Starts a simulated program that only listens, at ports `in_n`.
  ///
  /// - Throws: `StageError.jack`.
  public static func listener(
    _ name: String, server: String?, channels: Int
  ) throws(StageError) -> SimulatedClient {
    let layout = Layout(inputs: (0..<channels).map { "in_\($0 + 1)" }, isDevice: false)
    return try SimulatedClient(name: name, server: server, layout: layout, signals: [])
  }
}
