public import SessionModel

extension RouterState {
  /// The state in which all devices and programs of a preset are there, and every session is active that ducks no other.
  public init(rehearsing preset: Preset, law: PresetReader.Policy) {
    self.init()
    server.isRunning = true
    func take(_ event: Event) { _ = try? law(&self, event, 0) }
    for event in preset.events(for: self) { take(event) }
    // All at once, as at a start: one after the other, the last one would count as connected last.
    let presences = [Direction.output, .input].flatMap { direction in
      self[direction].map { id, port in
        let channels = port.nameableChannels > 0 ? port.nameableChannels : Self.usualChannels
        return PortPresence(direction, id, members: (1...channels).map { "\(id):\($0)" })
      }
    }
    take(.portsPresent(presences))
    for (id, session) in sessions {
      take(.connected(id, true))
      let ducks = session.options.contains(.duckOthers)
      take(ducks ? .deactivate(id, notifyingOthers: false) : .activate(id))
    }
  }

  /// The channels of a device whose number of channels only the audio server knows.
  private static let usualChannels = 2
}
