import ControlInterface
import MixEngine
import ServerInterface
public import SessionModel
import Threads

/// Rebuilds everything between the state and the audio server.
extension Router {
  /// Fades out, leaves the audio server, joins it with a new client and a new engine, and makes all connections again. Sessions do not
  /// change. Takes less than two seconds, also if a program holds up the server.
  ///
  /// What was wrong is told as errors of `/system/recover`.
  /// - Returns: nil once the sound is back; else the reason why it is not.
  public func recover() async -> SessionError? {
    guard departure == .none else {
      return SessionError(.isBusy, "the router is leaving the server already")
    }
    let beginning = now
    if let connection { await leaveFaded(connection) } else { leave() }
    // A stop that began meanwhile leaves the server itself.
    guard !isStopping else { return SessionError(.isBusy, "the router stops") }
    seekServer()
    return await awaitReturn(until: beginning + Self.patienceOfRecovery)
  }

  /// Leaves a server with a fade, and tells what was wrong.
  private func leaveFaded(_ connection: Connection) async {
    let before = connection.mix.engine.framesProcessed
    if !(await silence(connection)), connection.mix.engine.framesProcessed == before {
      tellFault("the engine stood still: the server did not call the router")
    }
    guard !isStopping else { return }
    for sentence in faults(of: connection) { tellFault(sentence) }
    leave()
    departure = .none
  }

  /// Seconds that a recovery may take.
  private static let patienceOfRecovery = 1.9

  /// Waits until the router is connected again. A call by which the router leaves, and which waits for a stopped program, is made to fail. The calls by
  /// which it joins must not be: the new client would be left without ports.
  private func awaitReturn(until deadline: Double) async -> SessionError? {
    let patience = now + 0.3
    while !isReady, now < deadline, !isStopping {
      if case .seeking = phase, now > patience, graph.busySince != nil { server.abandonCalls() }
      await executor.sleep(seconds: 0.005)
    }
    guard !isReady else { return nil }
    return SessionError(
      .mediaServicesFailed,
      connection == nil
        ? "the audio server does not answer; the router joins it as soon as it does"
        : "the sound is back, but not all connections; /system/waiting lists programs that do not answer")
  }

  private func tellFault(_ sentence: String) {
    tell(.error(client: 0, address: "/system/recover", SessionError(.io, sentence)))
  }

  /// What is wrong with the connections of the router and its sources.
  private func faults(of connection: Connection) -> [String] {
    var faults = state.hungPrograms.map(\.sentence)
    let torn = connection.reconciler.missing(in: connection.graph)
    if !torn.isEmpty {
      let list = torn.prefix(3).map { "\($0.source) to \($0.sink)" }.joined(separator: ", ")
      let others = torn.count > 3 ? " and \(torn.count - 3) more" : ""
      faults.append(
        "\(torn.count) \(torn.count == 1 ? "connection was" : "connections were") missing: \(list)\(others)")
    }
    let refused = connection.reconciler.refused.sorted()
    if !refused.isEmpty {
      faults.append("the server refused connections of \(refused.joined(separator: ", "))")
    }
    return faults
  }
}
