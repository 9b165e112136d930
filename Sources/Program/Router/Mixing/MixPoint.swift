import EffectKernel
import MediaKernel
import MixEngine
import MixKernel
import SessionModel
import VoiceKernel

/// A channel where sound enters or leaves the mix.
enum MixPoint: Hashable {
  /// One of the router's own JACK ports.
  case port(PortKey)
  /// A channel of a player, as a source.
  case player(PlayerID, DeckChannel)
  /// A channel of a recorder, as a sink.
  case recorder(RecorderID, TapChannel)
  /// The microphone of a session's voice processing, as a sink, or the processed microphone, as a source.
  case voice(SessionID, VoiceChannel)
  /// A channel of an output as the voice processing of a reinforced microphone knows it, as a sink.
  case loudspeaker(PortID, VoiceChannel)
  /// A channel of the effects of a stream or an input: what they get, as a sink, or what they have made of it, as a source.
  case effect(InsertPlace, EffectChannel)

  /// Whether sound enters the mix here.
  var isSource: Bool {
    switch self {
    case .port(let key): key.isSource
    case .player: true
    case .recorder, .loudspeaker: false
    case .voice(_, let channel): channel.kind == .processed
    case .effect(_, let channel): if case .output = channel.kind { true } else { false }
    }
  }

  /// The JACK port; nil for all else.
  var port: PortKey? { if case .port(let key) = self { key } else { nil } }

  var isPlayer: Bool { if case .player = self { true } else { false } }

  /// The input whose channel it is; nil for all else.
  var input: PortID? { if case .port(.input(let id, _)) = self { id } else { nil } }

  /// The output whose channel it is; nil for all else.
  var output: PortID? { if case .port(.output(let id, _)) = self { id } else { nil } }

  /// The point in the engine's terms; nil for a JACK port that the server has not made yet.
  func endpoint(_ handles: [PortKey: PortHandle]) -> MixStructure.Endpoint? {
    switch self {
    case .port(let key): handles[key].map { .port($0) }
    case .player(_, let channel): .deck(channel)
    case .recorder(_, let channel): .tap(channel)
    case .voice(_, let channel), .loudspeaker(_, let channel): .voice(channel)
    case .effect(_, let channel): .effect(channel)
    }
  }
}

/// The players, recorders, voice processings, effects and meters that the mix has, by the memory that they share with the audio thread.
struct MixMedia: Equatable {
  var decks: [PlayerID: DeckPairStore] = [:]
  var taps: [RecorderID: RecorderTapStore] = [:]
  var voices: [SessionID: MixVoice] = [:]
  var effects: [InsertPlace: MixEffects] = [:]
  /// The taps of outputs that are measured.
  var meters: [PortID: RecorderTapStore] = [:]

  static func == (left: Self, right: Self) -> Bool {
    left.decks.count == right.decks.count && left.taps.count == right.taps.count
      && left.decks.allSatisfy { right.decks[$0.key] === $0.value }
      && left.taps.allSatisfy { right.taps[$0.key] === $0.value } && left.voices == right.voices
      && left.effects == right.effects
      && left.meters.count == right.meters.count
      && left.meters.allSatisfy { right.meters[$0.key] === $0.value }
  }
}

/// The voice processing of a session's capture in the mix.
struct MixVoice: Equatable {
  var store: VoiceNodeStore
  /// Tells the processing from others of the same session.
  var number: Int
  /// The channels of outputs that the echo canceller knows, in the order of the store's.
  var loudspeakers: [PortKey]

  static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.store === right.store
  }
}
