import SessionModel

/// Decides what each strip of a surface acts on (docs/develop/law/osc.md#19-strips).
enum StripAssignments {
  static func set(_ state: inout RouterState, _ setting: StripSetting) throws(SessionError) {
    switch setting {
    case .all(let targets): state.strips.assign(targets)
    case .one(let number, let target): state.strips.assign(target, to: number)
    case .range(let bank, let range):
      guard state.exists(range) else {
        throw SessionError(.notFound, "there is no \(range.text); \(state.advice(insteadOf: range))")
      }
      state.strips.setRange(of: bank, to: range)
    case .place(let bank, let place): state.strips.setPlace(of: bank, to: place)
    case .step(let bank, let steps): state.strips.step(bank, by: steps)
    case .size(let bank, let size):
      try check(state.strips, bank, size)
      state.strips.setSize(of: bank, to: size)
    }
  }

  /// Checks that the strips of a bank exist and belong to no other bank.
  /// - Throws: `SessionError` outOfRange or isBusy.
  private static func check(_ strips: Strips, _ bank: Int, _ size: Int) throws(SessionError) {
    let first = Strips.first(of: bank)
    let most = Strips.numbers.upperBound - first + 1
    guard size <= most else {
      throw SessionError(
        .outOfRange, "bank \(bank) begins at strip \(first), so it has at most \(most) of the 64 strips")
    }
    for other in Strips.banks where other != bank {
      let taken = strips.strips(of: other)
      guard (first..<first + size).overlaps(taken) else { continue }
      let (low, high) = (taken.lowerBound, taken.upperBound - 1)
      throw SessionError(
        .isBusy,
        "strips \(low) to \(high) belong to bank \(other); first set /bank/\(other)/size to 0, or use another bank"
      )
    }
  }

  /// Gives each strip its target anew after an event that may change one.
  static func apply(_ state: inout RouterState, after event: Event, since former: RouterState) {
    guard event.mayMoveStrips || event.mayMoveControls && state.strips.hasBanksOfEffects,
      !state.strips.isUnused || state.strips != former.strips
    else { return }
    var strips = state.strips
    strips.fill { state.targets(of: $0) }
    state.strips = strips
  }
}

extension Event {
  /// Whether the event may change the target of a strip: an assignment, or an object that comes or goes.
  fileprivate var mayMoveStrips: Bool {
    switch self {
    case .group(_, .create), .group(_, .remove), .createSession, .removeSession, .createStream, .removeStream,
      .declarePort, .forgetPort, .row,
      .router(.strips):
      true
    default: false
    }
  }

  /// Whether the event may change which controls the effects of a chain have.
  fileprivate var mayMoveControls: Bool {
    switch self {
    case .effectsReported, .insert(_, .effects), .insert(_, .effect(_, .plugin)): true
    default: false
    }
  }
}
