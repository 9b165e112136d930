import ControlInterface
import KeptState
import MixEngine
import ServerInterface
public import SessionModel
import Threads

extension Router {
  /// Fades out, and then gives back the connections that the router took away.
  ///
  /// - Returns: whether the server answers. A server that runs no periods would not answer a request.
  func fadeOut() async -> Bool {
    guard let connection else { return false }
    unwatch(connection)
    guard await silence(connection) else { return false }
    connection.order.connections = connection.taken.sorted()
    connection.order.returned = connection.exclusives.returned
    (connection.order.disconnections, connection.order.stuck, connection.order.firstRequests) = ([], [], [:])
    handOver()
    return true
  }

  /// Makes all outputs silent by a ramp, and waits for that: on a busy machine for up to a second, at a server that stands still for 0.3 s.
  ///
  /// - Returns: whether they are silent.
  func silence(_ connection: Connection) async -> Bool {
    if departure == .none { departure = .leaving }
    updateMix()
    let engine = connection.mix.engine
    let end =
      engine.framesProcessed + UInt64(0.06 * Double(connection.facts.sampleRate)) + UInt64(connection.margin)
    let limit = now + 1
    var (processed, deadline) = (engine.framesProcessed, now + 0.3)
    while engine.framesProcessed < end, now < min(deadline, limit) {
      await executor.sleep(seconds: 0.005)
      if engine.framesProcessed != processed { (processed, deadline) = (engine.framesProcessed, now + 0.3) }
    }
    return engine.framesProcessed >= end
  }

  /// Leaves the server. If a call to the server does not return, this makes the call fail; if that does not help either, the graph
  /// thread stays behind, still waiting.
  ///
  /// - Parameter answers: whether the server answers, so that what is asked of it is awaited for longer.
  func leaveServer(thatAnswers answers: Bool) async {
    graph.close()
    let beginning = now
    while !graph.isClosed, now < beginning + (answers ? 0.6 : 0.3) { await executor.sleep(seconds: 0.002) }
    let rest = now + 0.3
    while !graph.isClosed, now < rest {
      server.abandonCalls()
      await executor.sleep(seconds: 0.02)
    }
    graph.end()
  }

  // MARK: The state for other parts

  /// Whether there is an audio server, its devices are known, and all possible connections are made.
  public var isReady: Bool {
    guard let connection, state.server.isRunning, !connection.awaitsNodes else { return false }
    return isGraphDone && !connection.settling.isPending && connection.order == connection.requested
  }

  /// Whether the graph thread has answered every request, or its answer must not be awaited: it waits so long for the server, or the server
  /// has set connections aside, and the rest of the request is carried out after that.
  var isGraphDone: Bool {
    guard let connection, !connection.isAnswered, !connection.isSetAside else { return true }
    return graph.busySince.map { MonotonicTime.now - $0 > GraphThread.patience } ?? false
  }

  /// Whether there is no audio server.
  public var isLost: Bool { connection == nil }

  /// A copy of the state.
  public var snapshot: RouterState { state }

  /// A copy of the state, and the present time in seconds of the router's time.
  public var moment: (state: RouterState, time: Double) { (state, now) }
}
