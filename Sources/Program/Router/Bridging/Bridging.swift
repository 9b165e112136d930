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
  /// Programs that end as soon as the gates of their ports are closed, with the engine frame of that.
  private var closing: [BridgeKey: UInt64] = [:]
  /// What the programs have told last. A port that is forgotten and made anew while its program runs on has not heard it.
  private var conditions: [BridgeKey: BridgeCondition] = [:]
  /// The names that the programs have had at the audio server. One that ends is there for a moment longer, and is no device.
  private(set) var clients: Set<Substring> = []

  init(_ folders: [String], report: @escaping @Sendable (BridgeKey, BridgeCondition) -> Void) {
    (self.folders, self.report) = (folders, report)
  }

  /// Starts the bridge programs that a state's ports need, and ends the others. Bridge programs are clients of the audio server, so
  /// all end when there is no server. A program that ends cuts its sound off, so the gate of its port closes first.
  /// - Parameters:
  ///   - server: the server's name, nil for the default one.
  ///   - frame: the number of frames that the engine has processed.
  ///   - closed: the frame at which a gate that starts to close now is closed.
  /// - Returns: the gates that must stay closed, with the frame of the end of that.
  @discardableResult
  func follow(
    _ state: RouterState, server: String?, at frame: UInt64, closed: UInt64
  ) -> [BridgeKey: UInt64] {
    var programs = Self.programs(of: state, server: server)
    guard programs != wanted else {
      closing = [:]
      return [:]
    }
    let waiting = closing
    closing = [:]
    var gates: [BridgeKey: UInt64] = [:]
    for (key, program) in wanted where programs[key] != program {
      let end = waiting[key] ?? closed
      if state.server.isRunning, end > frame {
        (closing[key], gates[key], programs[key]) = (end, end, program)
      } else {
        gates[key] = frame + UInt64(BridgeRunner.patience * Double(state.server.rate))
        conditions[key] = nil
      }
    }
    guard programs != wanted else { return gates }
    wanted = programs
    for case (let key, let bridge?) in programs.keys.map({ ($0, state[$0.direction][$0.port]?.bridge) }) {
      clients.insert(bridge.clientName(for: key.port)[...])
    }
    let runner = runner ?? BridgeRunner(folders: folders, report: report)
    self.runner = runner
    runner.keep(programs)
    return gates
  }

  /// Notes what a program has told.
  func note(_ key: BridgeKey, _ condition: BridgeCondition) { conditions[key] = condition }

  /// What programs have told, as far as the ports of a state have not heard it.
  func untold(to state: RouterState) -> [(key: BridgeKey, condition: BridgeCondition)] {
    conditions.filter { key, condition in
      state[key.direction].contains(key.port) { $0.bridge != nil && $0.bridgeCondition != condition }
    }.map { ($0.key, $0.value) }
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
