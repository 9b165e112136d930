import JackServer
import StageKit
import TestKit
import Testing

/// JACK's own torture test, `jack_test`, which changes the period, freewheels and fills up ports, at a server of its own.
struct JackTorture {
  /// A session that plays at the server's own device during the test.
  private static let preset = """
    { "multiroute": 1, "ports": {
      "pa": { "type": "lineOut", "outputs": ["system:playback_*"], "channels": 2 },
      "phones": { "type": "headphones", "outputs": ["Headphones:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "pa": 0 } },
      "click": { "channels": 1, "from": ["Band:out_1"], "to": { "phones": 0 } } } } } }
    """

  /// The result of a run.
  struct Outcome: Equatable {
    var code: Int32?
    /// The output with every number replaced, without the count of graph reorders, which varies from run to run.
    var lines: [String]
  }

  /// Runs `jack_test` with a device and a program at the server, and with a router if `withRouter`; the router must work
  /// afterwards.
  static func run(withRouter: Bool) async throws -> Outcome {
    let server = try await PrivateServer {
      $0.period = 1_024
      ($0.captureChannels, $0.playbackChannels) = (2, 2)
    }
    let (stage, folder) = (try server.stage(), try TemporaryFolder())
    try stage.do("device Headphones 2 0")
    try stage.do("source Band 2 sine 997 -20")
    var router: RouterProcess?
    if withRouter {
      router = try RouterProcess(
        preset: folder.write(preset, to: "show.json"), server: server.name, in: folder,
        owners: [stage, server])
      try stage.do("wait-signal Headphones 1 -21")
    }
    // `jack_test` writes files to its working folder.
    let child = try ChildProcess(
      "sh", ["-c", "cd \"$1\" && exec jack_test -R -t 1", "sh", folder.path],
      environment: ["JACK_DEFAULT_SERVER": server.name, "JACK_NO_START_SERVER": "1"])
    let code = child.wait(seconds: 180)
    if let router {
      try stage.do("wait-signal Headphones 1 -21")
      #expect(try stage.names("connections multiroute:to-pa_1") == ["system:playback_1"])
      #expect(router.terminate().code == 0)
    }
    let lines = child.output.text.replacing(/[0-9]+/, with: "#").split(separator: "\n").map(String.init)
    return Outcome(code: code, lines: lines.filter { !$0.contains("reorder") })
  }
}
