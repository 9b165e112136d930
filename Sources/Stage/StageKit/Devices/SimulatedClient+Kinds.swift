extension SimulatedClient {
  /// Plugs in a simulated sound device, with physical and terminal ports `playback_n` and `capture_n`.
  ///
  /// - Parameters:
  ///   - playback: number of playback channels, whose sound can be recorded.
  ///   - capture: the signals that the device's microphones pick up, one for each capture channel.
  ///   - captureLatency: frames that the device declares between a microphone and its capture port.
  ///   - playbackLatency: frames that the device declares between a playback port and its loudspeaker.
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

  /// Starts a simulated program that plays one signal from each output port `out_n`.
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

  /// Starts a silent device or program whose ports have the names of a real one, such as `playback_AUX0` or `Master/audio_out 1`.
  ///
  /// - Throws: `StageError.jack`.
  public static func client(
    _ name: String, server: String?, layout: Layout
  ) throws(StageError) -> SimulatedClient {
    let signals = Array(repeating: Signal.silence, count: layout.outputs.count)
    return try SimulatedClient(name: name, server: server, layout: layout, signals: signals)
  }

  /// Starts a simulated program with ports `in_n` and `out_n`, which plays one signal from each output and declares no latencies of
  /// its own.
  ///
  /// - Throws: `StageError.jack`.
  public static func duplex(
    _ name: String, server: String?, signals: [Signal]
  ) throws(StageError) -> SimulatedClient {
    var layout = Layout(
      inputs: signals.indices.map { "in_\($0 + 1)" }, outputs: signals.indices.map { "out_\($0 + 1)" },
      isDevice: false)
    layout.passesLatencies = true
    return try SimulatedClient(name: name, server: server, layout: layout, signals: signals)
  }
}
