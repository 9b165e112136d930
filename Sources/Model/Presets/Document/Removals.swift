import SessionModel

// Events that remove what a document does not contain.

extension SessionStream {
  /// The events after which the stream has only some of its destinations, as they are; none if the law does not place the stream and all
  /// destinations stay.
  func events(keeping isKept: (PortID) -> Bool, in session: SessionID) -> [Event] {
    let isLess = destinations.keys(where: \.isUsed).contains { !isKept($0) }
    guard isPlacedByDefault || isLess else { return [] }
    let kept = destinations.filter { isKept($0.key) }
    let text = kept.map { port, destination in
      "\(port)\(destination.channels.suffix)=\(destination.gain.target)"
    }
    guard let route = try? StreamRoute(text.isEmpty ? "none" : text.joined(separator: ",")) else { return [] }
    // A route switches all of its destinations on.
    let off = kept.filter { !$0.value.isOn }.map { Event.destination(session, id, $0.key, .on(false)) }
    return [.stream(session, id, .route(route))] + off
  }
}

extension Session {
  /// The events after which the session has no capture.
  var withoutCapture: [Event] {
    var events: [Event] = []
    if capture.channels > 0 { events.append(.session(id, .captureChannels(0))) }
    if !capture.destinations.isEmpty { events.append(.session(id, .captureDestinations([]))) }
    if capture.isSole { events.append(.session(id, .captureSole(false))) }
    if !capture.containsRoute { events.append(.session(id, .captureRoute(true))) }
    if !capture.insert.isEmpty { events.append(.insert(.capture(id), .effects([]))) }
    return events + withoutSends { _ in true }
  }

  /// The events after which some sends to the capture are like sends that were never made.
  func withoutSends(where isRemoved: (Contribution) -> Bool) -> [Event] {
    var events: [Event] = []
    func clear(_ send: CaptureSend, _ event: (CaptureSetting) -> Event) {
      if send.isOn { events.append(event(.on(false))) }
      if send.gain.target != 0 { events.append(event(.gain(.set(0)))) }
    }
    for (other, send) in capture.sessions where isRemoved(.session(other)) {
      clear(send) { .captureSession(id, other, $0) }
    }
    for (input, send) in capture.inputs where isRemoved(.input(input)) {
      clear(send) { .captureInput(id, input, $0) }
    }
    return events
  }
}

extension PresetDocument {
  /// The sessions and inputs that a capture's mix names.
  func contributions(to capture: CaptureEntry) -> Set<Contribution> {
    Set(capture.mix.keys.compactMap(contribution))
  }
}
