import JackClient
import SystemCalls

/// A PipeWire of our own with a clock and no devices, and a process at it that runs PipeWire's echo cancel module.
///
/// The module has a process of its own, so that its thread does nothing else. Its settings are those of our voice processing, and the library
/// behind it is the same.
final class EchoCancelServer {
  /// The process with the modules. It goes first, then the server, then the folder.
  let cancellers: ChildClient
  private let daemon: ChildClient
  private let folder: TemporaryFolder
  /// What makes a JACK program a client of this server.
  let variables: [String]
  let name = "pipewire-0"

  /// Starts the server and the modules.
  ///
  /// - Parameters:
  ///   - count: number of modules.
  ///   - period: frames of PipeWire's quantum.
  /// - Throws: `BenchError` if PipeWire is not installed or does not answer.
  init(count: Int, period: Int) throws(BenchError) {
    folder = try TemporaryFolder()
    let own = [
      "XDG_RUNTIME_DIR=\(folder.path)", "PIPEWIRE_RUNTIME_DIR=\(folder.path)", "HOME=\(folder.path)",
    ]
    variables = own + ["LD_LIBRARY_PATH=/usr/${LIB}/pipewire-0.3/jack"]
    try folder.write(Self.daemonConfiguration(period: period), to: "daemon.conf")
    try folder.write(Self.cancellerConfiguration(count: count), to: "cancellers.conf")
    daemon = try ChildClient.pipewire("\(folder.path)/daemon.conf", variables: own)
    guard SocketWatch(ServerSocket(folder: folder.path, name: name)).waitForAnswer(seconds: 10) else {
      throw BenchError("PipeWire does not answer")
    }
    cancellers = try ChildClient.pipewire("\(folder.path)/cancellers.conf", variables: own)
  }

  /// The connections of the modules with the scene of their calls, as pairs of ports.
  static func connections(count: Int) -> [String] {
    (1...count).flatMap { number in
      [
        "\(CallScene.room):capture_1", "Microphone \(number):input_MONO",
        "\(CallScene.far):out_\(number)", "Loudspeaker \(number):playback_MONO",
        "Played \(number):output_MONO", "\(CallScene.room):playback_1",
        "Voice \(number):capture_MONO", "\(CallScene.line):playback_\(number)",
      ]
    }
  }

  private static let libraries = """
    context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert, support.* = support/libspa-support }
    """

  private static func realTime(_ priority: Int) -> String {
    "{ name = libpipewire-module-rt, args = { nice.level = -11, rt.prio = \(priority) }, flags = [ ifexists nofail ] }"
  }

  private static func daemonConfiguration(period: Int) -> String {
    """
    context.properties = {
      core.daemon = true, core.name = pipewire-0, default.clock.rate = 48000, default.clock.quantum = \(period),
      default.clock.min-quantum = \(period), default.clock.max-quantum = \(period) }
    \(libraries)
    context.modules = [
      \(realTime(70))
      { name = libpipewire-module-protocol-native } { name = libpipewire-module-metadata }
      { name = libpipewire-module-spa-node-factory } { name = libpipewire-module-client-node }
      { name = libpipewire-module-access } { name = libpipewire-module-adapter }
      { name = libpipewire-module-link-factory } ]
    context.objects = [
      { factory = metadata, args = { metadata.name = default } }
      { factory = spa-node-factory, args = { factory.name = support.node.driver, node.name = Clock,
        node.group = pipewire.dummy, priority.driver = 20000 } } ]
    """
  }

  private static func cancellerConfiguration(count: Int) -> String {
    // Without a session manager the streams make their ports themselves, and nothing connects them but the scene.
    func stream(_ name: String, _ number: Int) -> String {
      """
      { node.name = "\(name)-\(number)", node.description = "\(name) \(number)", node.autoconnect = false,
        adapter.auto-port-config = { mode = dsp } }
      """
    }
    let modules = (1...count).map { number in
      """
      { name = libpipewire-module-echo-cancel, args = {
        library.name = aec/libspa-aec-webrtc, audio.rate = 48000, audio.channels = 1, audio.position = [ MONO ],
        aec.args = { webrtc.high_pass_filter = true, webrtc.noise_suppression = true, webrtc.gain_control = true,
          webrtc.extended_filter = false, webrtc.delay_agnostic = false, webrtc.voice_detection = false },
        capture.props = \(stream("Microphone", number)), source.props = \(stream("Voice", number)),
        sink.props = \(stream("Loudspeaker", number)), playback.props = \(stream("Played", number)) } }
      """
    }
    return """
      \(libraries)
      context.modules = [
        \(realTime(60))
        { name = libpipewire-module-protocol-native } { name = libpipewire-module-client-node }
        { name = libpipewire-module-adapter }
        \(modules.joined(separator: "\n")) ]
      """
  }
}
