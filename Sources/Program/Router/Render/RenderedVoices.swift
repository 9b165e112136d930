import SessionModel
import Voice

/// The voice processing of a rendered show. The audio waits for its threads.
final class RenderedVoices {
  let keeper: VoiceKeeper
  private let refused: Refusals

  private final class Refusals {
    weak var keeper: VoiceKeeper?
    var sentences: [SessionID: String] = [:]
  }

  init() {
    let refused = Refusals()
    self.refused = refused
    keeper = VoiceKeeper { plan, session, number in
      let made = VoiceKeeper.made(plan)
      if case .failure(let error) = made { refused.sentences[session] = "\(session): \(error)" }
      refused.keeper?.take(made, plan, for: session, number: number)
    }
    refused.keeper = keeper
  }

  /// Why captures are not processed, as sentences.
  var refusals: [String] { refused.sentences.values.sorted() }

  /// Carries out a state.
  func follow(_ state: RouterState, rate: Int, period: Int, frame: UInt64) {
    _ = keeper.advance(at: frame)
    keeper.follow(state, rate: rate, period: period)
  }
}
