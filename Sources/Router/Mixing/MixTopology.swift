import SessionModel

/// What the matrix shall be made of, in terms of ports by purpose: a crosspoint for every channel that may be heard anywhere.
struct MixTopology: Equatable {
  /// Ports of ours that sound comes in by, in the order of the state.
  var sources: [PortKey] = []
  /// Ports of ours that sound goes out by.
  var sinks: [PortKey] = []
  var cells: [Cell] = []

  /// One crosspoint.
  struct Cell: Equatable {
    var key: CellKey
    /// Whose level it follows.
    var send: SendKey
  }

  /// A source channel seen through a chain of stages.
  struct RowKey: Hashable {
    var source: PortKey
    var stages: [StageKey]
    var ducked: SessionID?
  }

  /// Which crosspoint it is; another tap, chain or factor is another crosspoint, and a change between them a crossfade.
  struct CellKey: Hashable {
    var row: RowKey
    var sink: PortKey
    /// A constant factor, as in `MixStructure.Cell`.
    var scale: Float = 1
  }
}

/// A level that several crosspoints follow.
enum SendKey: Hashable, Sendable {
  case stream(SessionID, StreamID, PortID)
  /// What the capture of the first session contains of the second.
  case captureSession(SessionID, SessionID)
  case captureInput(SessionID, PortID)
}
