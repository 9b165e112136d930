import Effects

extension RouterState {
  /// What would be right in the place of a strip's target that does not exist.
  public func advice(insteadOf target: StripTarget) -> String {
    if case .control(let place, let symbol) = target {
      return effect(at: place).map {
        NearestName.hint(for: symbol, among: $0.facts.controls.map(\.symbol))
      } ?? advice(insteadOf: place)
    }
    let others: [StripTarget] =
      outputs.keys.map { .output($0) } + inputs.keys.map { .input($0) } + players.keys.map { .player($0) }
    return NearestName.hint(for: target.address, among: (targetsOfShow + others).map(\.address))
  }

  /// What would be right in the place of what a bank shall move over and does not exist.
  public func advice(insteadOf range: BankRange) -> String {
    switch range {
    case .show: ""
    case .chain(let place): advice(insteadOf: place)
    case .effect(let place): advice(insteadOf: place)
    }
  }

  private func advice(insteadOf place: EffectSlot) -> String {
    guard let count = insert(at: place.chain)?.effects.count else { return advice(insteadOf: place.chain) }
    return "\(place.chain.address) has \(count) effect\(count == 1 ? "" : "s")"
  }

  private func advice(insteadOf place: InsertPlace) -> String {
    var places: [InsertPlace] = []
    sessions.forEachEntry { id, session in
      places += session.streams.keys.map { .stream(id, $0) } + [.capture(id)]
    }
    places += outputs.keys.map { .output($0) } + inputs.keys.map { .input($0) }
    return NearestName.hint(for: place.address, among: places.map(\.address))
  }
}
