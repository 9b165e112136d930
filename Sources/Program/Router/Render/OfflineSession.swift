public import SessionModel
import SessionPolicy

/// A session that processes a file: the world in which it is heard, and what of it goes into the file.
///
/// The file gets what the output of the session's route would get from this session alone, in the channels that its streams reach.
public struct OfflineSession: Sendable {
  let id: SessionID
  let world: RouterState
  let time: Double
  fileprivate let rate: Int
  fileprivate let output: PortID
  /// The number of channels of the new file.
  public let channels: Int

  /// Frames per period, as in `render`.
  public static let period = 256

  /// - Parameters:
  ///   - state: the present state of the router, at its present time.
  ///   - rate: the sample rate of the file in Hz.
  /// - Throws: `SessionError` notFound, resourceNotAvailable if nothing would be heard.
  public init(_ id: SessionID, in state: RouterState, at time: Double, rate: Int) throws(SessionError) {
    world = try Offline.world(of: id, in: state, rate: rate, period: Self.period, at: time)
    (self.id, self.time, self.rate) = (id, time, rate)
    let reached = TopologyBuilder.topology(of: world).cells.compactMap { cell in
      if case .port(.output(let port, let channel)) = cell.key.sink { (port, channel) } else { nil }
    }
    guard let output = world.sessions[id]?.route.outputs.first else {
      throw SessionError(.resourceNotAvailable, "\(id) has no output, so nothing of it would be in a file")
    }
    (self.output, channels) = (output, reached.filter { $0.0 == output }.map(\.1).max() ?? 1)
  }

  /// The number of channels of the widest stream.
  public var width: Int { world.sessions[id]?.streams.values.map(\.channels).max() ?? 0 }

  /// Begins to render a file that plays into all streams of the session.
  public func begin() -> Rendering { Rendering(self) }

  /// A file on its way through the session, period by period.
  public struct Rendering {
    private let session: OfflineSession
    private let streams: Registry<StreamID, SessionStream>
    private var renderer: Renderer
    /// Frames by which the effects delay what is heard first; known once the first period is rendered.
    public private(set) var delay = 0

    fileprivate init(_ session: OfflineSession) {
      self.session = session
      streams = session.world.sessions[session.id]?.streams ?? Registry()
      renderer = Renderer(session, rate: session.rate, period: OfflineSession.period)
    }

    /// Why not everything went through all effects of the session, as a sentence; nil if everything did.
    public var fault: String? { renderer.effectFault(of: session.id) }

    /// Renders one period.
    ///
    /// - Parameters:
    ///   - input: returns the samples for a channel of a stream of so many channels; nil is silence. Channels count from 1.
    /// - Returns: the samples for the new file, channel by channel, `delay` frames late.
    public mutating func render(input: (_ channel: Int, _ width: Int) -> [Float]?) -> [[Float]] {
      let isFirst = renderer.frames == 0
      let heard = renderer.render([], frames: OfflineSession.period) { source, channel in
        guard case .stream(_, let stream) = source else { return nil }
        return input(channel, streams[stream]?.channels ?? 0)
      }
      if isFirst { delay = renderer.leastDelay(of: session.id) }
      return Array(heard[.output(session.output)]?.prefix(session.channels) ?? [])
    }
  }
}
