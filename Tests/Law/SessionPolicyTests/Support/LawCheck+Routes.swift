import LawWorld
import SessionModel

extension LawCheck {
  /// A route has only available ports that the session may use, and each change is notified once.
  static func routes(_ before: RouterState, _ told: [Notification], _ after: RouterState) -> [String] {
    after.sessions.values.flatMap { session in
      ports(of: session, after) + choice(of: session, after) + guards(of: session)
        + changes(of: session, before.sessions[session.id], told)
    }
  }

  // MARK: Which ports

  private static func ports(of session: Session, _ state: RouterState) -> [String] {
    var found: [String] = []
    let route = session.route
    for id in route.outputs where state.outputs[id]?.isAvailable != true {
      found.append("\(session.id) is at \(id), which is not there")
    }
    for id in route.inputs where state.inputs[id]?.isAvailable != true {
      found.append("\(session.id) captures from \(id), which is not there")
    }
    let options = session.options
    let isInConversation = session.category == .playAndRecord
    for type in route.outputs.compactMap({ state.outputs[$0]?.type }) {
      let isRight =
        switch (type, session.category) {
        case (.bluetoothHFP, .multiRoute): session.mode == .dualRoute
        case (.bluetoothHFP, _): isInConversation && options.contains(.allowBluetoothHFP)
        case (.bluetoothA2DP, .multiRoute), (.builtInReceiver, .multiRoute): false
        case (.usbAudio, .multiRoute): session.mode != .dualRoute
        case (.bluetoothA2DP, _): !isInConversation || options.contains(.allowBluetoothA2DP)
        case (.builtInReceiver, _): isInConversation
        default: true
        }
      if !isRight { found.append("\(session.id) may not be heard at \(type)") }
    }
    if route.inputs.contains("hfp"), !options.contains(.allowBluetoothHFP) {
      found.append("\(session.id) may not capture from hfp")
    }
    return found
  }

  // MARK: How many, and which of them

  private static func choice(of session: Session, _ state: RouterState) -> [String] {
    var found: [String] = []
    let route = session.route
    if !session.category.hasInput, route.input != nil { found.append("\(session.id) needs no input") }
    if session.category == .multiRoute {
      if session.mode == .dualRoute {
        if route.outputs.count > 2 { found.append("\(session.id) has more than two outputs") }
      } else if route.outputs.contains("spk"), route.outputs != ["spk"] {
        found.append("\(session.id) has the speaker beside others")
      }
    } else if route.outputs.count > 1 {
      found.append("\(session.id) has \(route.outputs.count) outputs")
    }
    if route.secondaryInput != nil, session.mode != .dualRoute {
      found.append("\(session.id) has a second input")
    }
    if session.portOverride != .none {
      if session.category != .playAndRecord { found.append("\(session.id) overrides what has no override") }
    }
    if session.awaitedOutput != nil, !route.outputs.isEmpty {
      found.append("\(session.id) waits for an output and has one")
    }
    // HFP is one device for both directions, as long as both are available.
    let isWhole = ["hfp"].allSatisfy {
      state.outputs[$0]?.isAvailable == true && state.inputs[$0]?.isAvailable == true
    }
    let isGuarded = session.streams.contains { (stream: SessionStream) in stream.never.contains("hfp") }
    if session.category == .playAndRecord, isWhole, !isGuarded, session.awaitedOutput == nil,
      !route.outputs.isEmpty, route.outputs.contains("hfp") != route.inputs.contains("hfp")
    {
      found.append("\(session.id) has half of hfp: \(route.text)")
    }
    return found
  }

  private static func guards(of session: Session) -> [String] {
    session.streams.values.flatMap { stream in
      stream.never.filter {
        stream.destinations.contains($0)
          || (session.category != .multiRoute && session.route.outputs.contains($0))
      }.map { "\(session.id).\(stream.id) is at \($0), where it never goes" }
    }
  }

  // MARK: Notifications

  private static func changes(of session: Session, _ old: Session?, _ told: [Notification]) -> [String] {
    let changes = told.filter {
      guard case .route(session.id, let reason, _, _) = $0 else { return false }
      return reason != .routeConfigurationChange || old?.route != session.route
    }
    if changes.count > 1 { return ["\(session.id) was told of \(changes.count) routes"] }
    if let old, old.displacement == nil, session.displacement != nil, session.portOverride != .none {
      return ["\(session.id) was interrupted and still overrides"]
    }
    guard let old, old.isActive, session.isActive || session.displacement != nil else { return [] }
    let isRerouted = old.route != session.route
    // An interruption ends an override, and the session is notified of the interruption alone.
    if session.displacement != nil, old.portOverride != session.portOverride { return [] }
    guard isRerouted != !changes.isEmpty else { return [] }
    return ["\(session.id) was \(isRerouted ? "not told of its route" : "told of a route that is as it was")"]
  }
}
