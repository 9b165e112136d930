import ServerInterface
import SessionModel
import ZitaBridges

/// Starts and ends the bridge programs that ports need. Belongs to the policy thread.
final class Bridging {
  private let folders: [String]
  /// Called on another thread with the new condition of a bridge.
  private let report: @Sendable (BridgeKey, BridgeCondition) -> Void
  /// Nil until a preset names a bridge.
  private var runner: BridgeRunner?
  private var wanted: [BridgeKey: BridgeProgram] = [:]

  init(_ folders: [String], report: @escaping @Sendable (BridgeKey, BridgeCondition) -> Void) {
    (self.folders, self.report) = (folders, report)
  }

  /// Starts the bridge programs that a state's ports need, and ends the others. Bridge programs are clients of the audio server, so
  /// all end when there is no server.
  /// - Parameter server: the server's name, nil for the default one.
  func follow(_ state: RouterState, server: String?) {
    let programs = Self.programs(of: state, server: server)
    guard programs != wanted else { return }
    wanted = programs
    let runner = runner ?? BridgeRunner(folders: folders, report: report)
    self.runner = runner
    runner.keep(programs)
  }

  private static func programs(of state: RouterState, server: String?) -> [BridgeKey: BridgeProgram] {
    guard state.server.isRunning else { return [:] }
    var programs: [BridgeKey: BridgeProgram] = [:]
    for direction in [Direction.output, .input] {
      for port in state[direction].values {
        guard let bridge = port.bridge else { continue }
        programs[BridgeKey(direction, port.id)] = BridgeProgram(
          bridge, for: port.id, server: server, rate: state.server.rate)
      }
    }
    return programs
  }

  /// By how much the bridges of outputs and of inputs resample, as far as their programs tell.
  var drifts: (outputs: [PortID: Double], inputs: [PortID: Double]) {
    var drifts: (outputs: [PortID: Double], inputs: [PortID: Double]) = ([:], [:])
    for (key, drift) in runner?.drifts ?? [:] {
      if key.direction == .output {
        drifts.outputs[key.port] = drift
      } else {
        drifts.inputs[key.port] = drift
      }
    }
    return drifts
  }

  /// Ends all bridge programs.
  func stop() { runner?.stop() }
}
