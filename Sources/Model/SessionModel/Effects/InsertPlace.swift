/// Where sound goes through a chain of effects.
public enum InsertPlace: Hashable, Sendable {
  /// Behind the stream's sources and polarity, before its mutes and gains.
  case stream(SessionID, StreamID)
  /// Behind the output's delay, gain and balance, before its mute and its limiter.
  case output(PortID)
  /// Behind the input's trim, polarity and width, before its mutes and gains.
  case input(PortID)
  /// Behind everything that the capture contains, before its gate.
  case capture(SessionID)

  /// Reads the parts of an address, such as `output` and `usb`; nil if they are those of nothing that may have effects.
  init?(_ parts: ArraySlice<Substring>) {
    let parts = Array(parts)
    switch (parts.first, parts.count) {
    case ("output", 2):
      guard let id = PortID(parts[1]) else { return nil }
      self = .output(id)
    case ("input", 2):
      guard let id = PortID(parts[1]) else { return nil }
      self = .input(id)
    case ("session", 3) where parts[2] == "capture":
      guard let id = SessionID(parts[1]) else { return nil }
      self = .capture(id)
    case ("session", 4) where parts[2] == "stream":
      guard let id = SessionID(parts[1]), let stream = StreamID(parts[3]) else { return nil }
      self = .stream(id, stream)
    default: return nil
    }
  }

  /// The address of what has the chain.
  public var address: String {
    switch self {
    case .stream(let session, let stream): "/session/\(session)/stream/\(stream)"
    case .output(let output): "/output/\(output)"
    case .input(let input): "/input/\(input)"
    case .capture(let session): "/session/\(session)/capture"
    }
  }

  /// A name for sentences.
  public var name: String {
    switch self {
    case .stream(let session, let stream): "\(session).\(stream)"
    case .output(let output): output.name
    case .input(let input): "input \(input)"
    case .capture(let session): "the capture of \(session)"
    }
  }
}

/// What has chains of effects, at one time.
public struct InsertOwners: Sendable {
  fileprivate var sessions = Registry<SessionID, Session>()
  fileprivate var (outputs, inputs) = (Registry<PortID, Port>(), Registry<PortID, Port>())

  public init() {}

  public init(_ state: RouterState) {
    (sessions, outputs, inputs) = (state.sessions, state.outputs, state.inputs)
  }
}

extension RouterState {
  /// The chain at a place; nil if there is no such place.
  public func insert(at place: InsertPlace) -> Insert? {
    switch place {
    case .stream(let session, let stream): sessions.read(session) { $0.streams.read(stream, \.insert) } ?? nil
    case .output(let output): outputs.read(output, \.insert)
    case .input(let input): inputs.read(input, \.insert)
    case .capture(let session): sessions.read(session, \.capture.insert)
    }
  }

  /// Changes the chain at a place that exists.
  public mutating func update(_ place: InsertPlace, _ body: (inout Insert) -> Void) {
    switch place {
    case .stream(let session, let stream):
      sessions.update(session) { owner in _ = owner.streams.update(stream) { body(&$0.insert) } }
    case .output(let output): outputs.update(output) { body(&$0.insert) }
    case .input(let input): inputs.update(input) { body(&$0.insert) }
    case .capture(let session): sessions.update(session) { body(&$0.capture.insert) }
    }
  }

  /// The channels of a place; 0 while the device is not known, and for a capture that does not exist.
  public func channels(at place: InsertPlace) -> Int {
    switch place {
    case .stream(let session, let stream):
      sessions.read(session) { $0.streams.read(stream, \.channels) ?? 0 } ?? 0
    case .output(let output): outputs.read(output, \.channels) ?? 0
    case .input(let input): inputs.read(input, \.channels) ?? 0
    case .capture(let session): sessions.read(session) { $0.hasCapture ? $0.capture.channels : 0 } ?? 0
    }
  }

  /// The places with effects in what has changed.
  public func inserts(changedSince former: InsertOwners = InsertOwners()) -> [InsertPlace] {
    var places: [InsertPlace] = []
    for id in sessions.keys(changedSince: former.sessions) {
      sessions.read(id) { session in
        session.streams.forEachValue { if !$0.insert.isEmpty { places.append(.stream(id, $0.id)) } }
        if !session.capture.insert.isEmpty { places.append(.capture(id)) }
      }
    }
    func hasEffects(_ port: Port) -> Bool { !port.insert.isEmpty }
    for id in outputs.keys(changedSince: former.outputs) where outputs.contains(id, where: hasEffects) {
      places.append(.output(id))
    }
    for id in inputs.keys(changedSince: former.inputs) where inputs.contains(id, where: hasEffects) {
      places.append(.input(id))
    }
    return places
  }

  /// Greatest number of places with effects.
  public static let mostInserts = 64
}
