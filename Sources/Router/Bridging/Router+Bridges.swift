import Bridges
import SessionModel

extension Router {
  /// Has the programs run that ports are bridged by, as long as there is a server that they can be clients of.
  func followBridges() {
    var wanted: [BridgeKey: BridgeProgram] = [:]
    if state.server.isRunning {
      for direction in [Direction.output, .input] {
        for port in state[direction].values {
          guard let bridge = port.bridge else { continue }
          wanted[BridgeKey(direction, port.id)] = BridgeProgram(
            bridge, for: port.id, server: settings.serverName, rate: state.server.rate)
        }
      }
    }
    guard wanted != bridged else { return }
    bridged = wanted
    let runner = bridges ?? makeRunner()
    bridges = runner
    runner.keep(wanted)
  }

  private func makeRunner() -> BridgeRunner {
    BridgeRunner(folders: settings.bridgeFolders) { [weak self] key, condition in
      guard let router = self else { return }
      // What became of a bridge is never dropped: there are few of them.
      _ = router.executor.post(limit: .max) {
        router.assumeIsolated { _ = $0.happen(.bridge(key.direction, key.port, condition)) }
      }
    }
  }
}
