public import SessionModel
import SessionPolicy
import Testing

/// A state, and the policy that changes it.
public struct World {
  public var state = RouterState()
  public var time = 0.0
  /// All notifications so far.
  public var told: [Notification] = []

  public init() {}

  /// A running server with the outputs `usb` (4 channels) and `headphones` (2) and the input `mic`.
  public static func stage() throws -> World {
    var world = World()
    try world.start()
    try world.plug("usb", .usbAudio, channels: 4)
    try world.plug("headphones", .headphones, channels: 2)
    try world.plug("mic", .builtInMic, channels: 1, .input)
    return world
  }

  /// Handles an event and returns its notifications.
  @discardableResult
  public mutating func handle(_ event: Event) throws -> [Notification] {
    let new = try Policy.reduce(&state, event, at: time)
    told += new
    return new
  }

  /// The error of a refused event, which must have changed nothing.
  public mutating func refusal(_ event: Event) -> ErrorCode? {
    let before = state
    do throws(SessionError) {
      _ = try Policy.reduce(&state, event, at: time)
      return nil
    } catch {
      #expect(state == before)
      #expect(!error.sentence.isEmpty)
      return error.code
    }
  }

  // MARK: The world

  public mutating func start() throws {
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "multiroute", 48_000, 256)
    try handle(.server(server))
  }

  public mutating func lose() throws { try handle(.server(ServerState())) }

  public mutating func declare(
    _ id: PortID, _ type: PortType, channels: Int, _ direction: Direction = .output, isNamed: Bool = true
  ) throws {
    let glob = try #require(PortGlob("\(id):*"))
    var port = Port(id: id, name: id.name, type: type, globs: [glob], channels: channels)
    port.isNamedByPreset = isNamed
    try handle(.declarePort(direction, port))
  }

  @discardableResult
  public mutating func present(_ ids: [PortID], _ direction: Direction = .output, channels: Int = 2) throws
    -> [Notification]
  {
    try handle(
      .portsPresent(
        ids.map { id in PortPresence(direction, id, members: (1...channels).map { "\(id):\($0)" }) }))
  }

  public mutating func plug(
    _ id: PortID, _ type: PortType, channels: Int = 2, _ direction: Direction = .output, isNamed: Bool = true
  ) throws {
    try declare(id, type, channels: channels, direction, isNamed: isNamed)
    try present([id], direction, channels: channels)
  }

  @discardableResult
  public mutating func unplug(_ id: PortID, _ direction: Direction = .output) throws -> [Notification] {
    let members = try #require(state[direction][id]).members.map { _ in String?.none }
    return try handle(.portsPresent([PortPresence(direction, id, members: members)]))
  }

  /// Creates a session with the stream `main` of two channels.
  public mutating func create(
    _ id: SessionID, _ category: Category = .multiRoute, options: SessionOptions = [], isActive: Bool = true
  ) throws {
    try handle(.createSession(id, SessionConfiguration(category: category, options: options)))
    try handle(.createStream(id, "main", channels: 2, placed: true))
    if isActive { try handle(.activate(id)) }
  }

  public mutating func route(_ id: SessionID, _ text: String) throws {
    try handle(.stream(id, "main", .route(StreamRoute(text))))
  }

  public func stream(_ id: SessionID) -> SessionStream? { state.sessions[id]?.streams["main"] }
}

extension [Notification] {
  /// The reasons of the route changes among these notifications, by session.
  public var routeReasons: [SessionID: RouteChangeReason] {
    reduce(into: [:]) { reasons, notification in
      guard case .route(let session, let reason, _, _) = notification else { return }
      #expect(reasons[session] == nil, "two route changes of \(session) after one event")
      reasons[session] = reason
    }
  }
}
