import SessionModel

// Events that remove what a document does not contain.

extension SessionStream {
  /// The stream's present route with some of its destinations; nil if the law does not place the stream and all
  /// destinations stay.
  func route(keeping isKept: (PortID) -> Bool) -> StreamRoute? {
    let isLess = destinations.contains { !isKept($0.key) && $0.value.isUsed }
    guard isPlacedByDefault || isLess else { return nil }
    let text = destinations.filter { isKept($0.key) }.map { port, destination in
      "\(port)\(destination.channels.suffix)=\(destination.gain.target)"
    }
    return try? StreamRoute(text.isEmpty ? "none" : text.joined(separator: ","))
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
