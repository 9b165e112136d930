import EffectKernel
import MediaKernel
import MixEngine
import SessionModel
import VoiceKernel

/// The wanted structure of the matrix: its ends, and a crosspoint for each channel that may reach a sink.
struct MixTopology: Equatable {
  /// Where sound enters the mix, in the order of the state.
  var sources: [MixPoint] = []
  /// Where sound leaves the mix, in the order of the state.
  var sinks: [MixPoint] = []
  var cells: [Cell] = []
  /// The stages of sinks beside those that all channels of an output share: its balance, once it has been used.
  var balances: [MixPoint: StageKey] = [:]
  /// The chains of effects that sinks go through.
  var inserts: [MixPoint: SinkInsert] = [:]
  /// Outputs that recorders record as their devices get them.
  var copies: [Copy] = []
  /// Outputs that are measured as their devices get them.
  var metered: [Metered] = []

  /// Outputs whose sound echo cancellers know as their devices get it.
  var loudspeakers: [Loudspeaker] = []

  /// Outputs that side chains hear as their devices get them.
  var keys: [Key] = []

  /// A channel of an output that a side chain hears.
  struct Key: Equatable {
    var sink: PortKey
    var channel: EffectChannel
    var share: Float
  }

  /// A channel of an output that is heard by a microphone.
  struct Loudspeaker: Equatable {
    var sink: PortKey
    var channel: VoiceChannel
  }

  /// A channel of an output that is recorded.
  struct Copy: Equatable {
    var sink: PortKey
    var recorder: RecorderID
    var tap: TapChannel
  }

  /// A channel of an output that is measured.
  struct Metered: Equatable {
    var sink: PortKey
    var tap: TapChannel
  }

  /// A channel of a chain of effects that a sink goes through.
  struct SinkInsert: Equatable {
    var place: InsertPlace
    var channel: EffectChannel
  }

  /// One crosspoint.
  struct Cell: Equatable {
    var key: CellKey
    /// The send whose level the crosspoint has.
    var send: SendKey
  }

  /// A source channel behind a chain of stages.
  struct RowKey: Hashable {
    var source: MixPoint
    var stages: [StageKey]
    var ducked: SessionID?
  }

  /// Identifies a crosspoint. A crosspoint with another tap, chain or factor is a different one, so a change of these crossfades.
  struct CellKey: Hashable {
    var row: RowKey
    var sink: MixPoint
    /// A constant factor, as in `MixStructure.Cell`.
    var scale: Float = 1
  }
}

/// A level that several crosspoints follow.
enum SendKey: Hashable, Sendable {
  case stream(SessionID, StreamID, PortID)
  /// The second session's sound in the capture of the first session.
  case captureSession(SessionID, SessionID)
  case captureInput(SessionID, PortID)
  /// The processed microphone in the capture of a session.
  case voice(SessionID)
  case recorder(RecorderID)
  /// The sound of a stream or an input in its effects, and that of a stream in the side chains of effects.
  case effects(InsertPlace)
  /// What is soloed, at a monitor output.
  case solo(PortID)
  /// A talkback in the outputs that hear it.
  case talkback(SessionID)

  /// What dictionaries use in place of `Hasher`: a recall looks up thousands of sends several times.
  func _rawHashValue(seed: Int) -> Int {
    switch self {
    case .stream(let session, let stream, let port):
      port._rawHashValue(seed: stream._rawHashValue(seed: session._rawHashValue(seed: seed)))
    case .captureSession(let session, let other):
      other._rawHashValue(seed: session._rawHashValue(seed: seed &+ 1))
    case .captureInput(let session, let port):
      port._rawHashValue(seed: session._rawHashValue(seed: seed &+ 2))
    case .recorder(let recorder): recorder._rawHashValue(seed: seed &+ 3)
    case .effects(let place): place._rawHashValue(seed: seed &+ 7)
    case .voice(let session): session._rawHashValue(seed: seed &+ 4)
    case .solo(let port): port._rawHashValue(seed: seed &+ 5)
    case .talkback(let session): session._rawHashValue(seed: seed &+ 6)
    }
  }
}
