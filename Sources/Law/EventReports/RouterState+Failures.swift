import SessionModel

extension RouterState {
  /// The report of an error that keeps recording or playout from starting or stopping; nil for any other error.
  ///
  /// - Parameter address: the address at which the error occurred.
  func failure(at address: String, _ error: SessionError) -> (session: SessionID?, report: EventReport)? {
    let parts = address.split(separator: "/").map(String.init)
    guard parts.count >= 2 else { return nil }
    switch parts[0] {
    case "session":
      guard let id = SessionID(parts[1]), let session = sessions[id] else { return nil }
      return key(of: error.code, at: parts.dropFirst(2), of: session).map {
        (id, EventReport($0, error.code.reportedNumber))
      }
    case "player":
      guard let player = PlayerID(parts[1]).flatMap({ players[$0] }) else { return nil }
      return (player.session, EventReport(.startPlayoutError, error.code.reportedNumber))
    case "recorder":
      guard let recorder = RecorderID(parts[1]).flatMap({ recorders[$0] }) else { return nil }
      return (recorder.session, EventReport(.startRecordingError, error.code.reportedNumber))
    default: return nil
    }
  }

  /// What an error at an address of a session failed to do; nil if it concerns neither recording nor playout.
  private func key(
    of code: ErrorCode, at leaf: ArraySlice<String>, of session: Session
  ) -> EventReport.Key? {
    switch code {
    case .cannotStartPlaying: return .startPlayoutError
    case .cannotStartRecording: return .startRecordingError
    default: break
    }
    let plays = session.category.hasOutput
    guard leaf.first == "active" || leaf.first == "io" else { return nil }
    switch code {
    case .mediaServicesFailed: return plays ? .initPlayoutError : .initRecordingError
    case .isBusy: return plays ? .stopPlayoutError : .stopRecordingError
    case .insufficientPriority, .cannotInterruptOthers, .resourceNotAvailable:
      return plays ? .startPlayoutError : .startRecordingError
    default: return nil
    }
  }
}

extension ErrorCode {
  /// AVAudioSession's number of an error. The router's own errors have none, so they are the negated `errno` that is nearest.
  fileprivate var reportedNumber: Int {
    switch self {
    case .notFound, .unknownAddress: -2  // ENOENT
    case .io: -5  // EIO
    case .denied, .locked: -13  // EACCES
    case .exists: -17  // EEXIST
    case .badType, .badValue, .outOfRange: -22  // EINVAL
    case .full: -28  // ENOSPC
    default: rawValue
    }
  }
}
