import MediaKernel
import Recorders
import SessionModel
import SoundFiles

/// A recorder of the state, and the one of the present server that carries it out. Belongs to the policy thread.
final class KeptRecorder {
  let recorder: Recorder
  /// Distinguishes it from earlier recorders of the same id.
  let number: Int
  /// The recorder of the state, as far as it is carried out.
  private(set) var wanted: MediaRecorder
  /// Where and under which words files are made.
  private var place: RecordingPlace
  /// Whether the start is still to come.
  private var isScheduled = false
  /// When to look at the recorder, in seconds since the router's start; nil while it rests.
  var look: Double?

  /// Seconds between two looks at a recorder that records.
  private static let pace = 0.5
  /// Seconds by which a time may deviate from the reported one.
  private static let tolerance = 0.1

  /// - Parameter make: makes the recorder, with its settings.
  init(
    _ wanted: MediaRecorder, number: Int, _ place: RecordingPlace, _ moment: MediaMoment,
    make: (RecorderSettings) -> Recorder
  ) {
    (self.wanted, self.number, self.place) = (wanted, number, place)
    recorder = make(RecorderSettings(wanted, place))
    if wanted.isReady { _ = recorder.prepare() }
    if wanted.isRecording { record(moment) }
  }

  private var order: TapOrder { recorder.order }

  /// Whether the file would have other channels, and none is open.
  func mustChange(_ new: MediaRecorder, channels: Int) -> Bool {
    new.source != wanted.source
      || channels != recorder.store.channelCount && !wanted.isOpen && recorder.path == nil
  }

  /// Carries out a change.
  /// - Returns: whether there is a new order for the plan.
  func follow(_ new: MediaRecorder, _ place: RecordingPlace, _ moment: MediaMoment) -> Bool {
    guard new != wanted || place != self.place else { return false }
    let old = wanted
    (wanted, self.place) = (new, place)
    let (settings, serial) = (RecorderSettings(new, place), order.serial)
    if settings != recorder.settings { recorder.settings = settings }
    if new.isRecording {
      let isNewOrder = new.orders != old.orders
      let isAtOnce = isNewOrder && new.startTime == nil && (isScheduled || !recorder.isRecording)
      if !old.isRecording || isAtOnce || (new.startTime != nil && new.startTime != old.startTime) {
        record(moment)
      }
    } else if new.transport != old.transport {
      isScheduled = false
      _ = new.isOpen ? recorder.pause() : recorder.stop()
    } else if !new.isOpen, new.isReady != old.isReady || new.before != old.before {
      // To stop again ends what it listens to.
      _ = new.isReady ? recorder.prepare() : recorder.stop()
    }
    if order.serial != serial { look = moment.time + KeptPlayer.reaction }
    return order.serial != serial
  }

  private func record(_ moment: MediaMoment) {
    isScheduled = wanted.startTime != nil
    _ = recorder.record(at: wanted.startTime.map(moment.frame) ?? DeckOrder.now)
  }

  // MARK: Facts

  /// The name of a file below the folder of recordings.
  private func name(_ path: String) -> String {
    path.hasPrefix(place.folder + "/") ? String(path.dropFirst(place.folder.count + 1)) : path
  }

  /// Notes that a file was begun, or goes on.
  func noteStart() { isScheduled = false }

  /// What is new after a file was begun or finished.
  func facts(of path: String, seconds: Double, at time: Double, isOpen: Bool) -> RecorderFacts {
    var facts = wanted.facts
    (facts.file, facts.seconds, facts.time) = (name(path), seconds, time)
    (facts.isOpen, facts.speed) = (isOpen, isOpen && wanted.isRecording ? 1 : 0)
    facts.lost = lost
    if !isOpen { facts.buffered = 0 }
    return facts
  }

  /// Looks at the recorder, and decides when to look again.
  /// - Returns: what is new; nil if nothing is.
  func look(at time: Double) -> RecorderFacts? {
    let isOpen = recorder.path != nil
    let isRunning = wanted.isRunning && isOpen
    look = isRunning ? time + Self.pace : nil
    var facts = wanted.facts
    facts.isOpen = isOpen
    let seconds = isOpen ? recorder.time : facts.seconds
    let speed = isRunning ? 1.0 : 0
    if speed != facts.speed || abs(wanted.time(at: time) - seconds) > Self.tolerance {
      (facts.seconds, facts.time, facts.speed) = (seconds, time, speed)
    }
    facts.lost = lost
    if abs(recorder.buffered - facts.buffered) > Self.tolerance { facts.buffered = recorder.buffered }
    return facts == wanted.facts ? nil : facts
  }

  /// Looks at the recorder for the last time: the server is gone, and the file ends.
  func lastFacts(at time: Double) -> RecorderFacts {
    var facts = wanted.facts
    if recorder.path != nil { facts.seconds = recorder.time + recorder.buffered }
    (facts.isOpen, facts.time, facts.speed, facts.buffered) = (false, time, 0, 0)
    return facts
  }

  private var lost: Double { Double(recorder.lost) / Double(recorder.sampleRate) }
}

/// Where recordings are made, and the word in their names that is not the recorder's own.
struct RecordingPlace: Equatable {
  let folder: String
  /// The user's own media folder, which is made when it is needed; nil if another folder is set.
  let ownFolder: String?
  /// The preset in force; empty for none.
  let scene: String
}

extension RecorderSource {
  /// What stands for `{session}` in the names of files: the session, or the device.
  fileprivate var name: String {
    switch self {
    case .session(let id), .stream(let id, _): id.name
    case .output(let id), .input(let id): id.name
    }
  }
}

extension MediaRecorder {
  /// Whether a file is open, or would be.
  var isOpen: Bool { transport != .stopped && transport != .waiting }
}

extension RecorderSettings {
  init(_ recorder: MediaRecorder, _ place: RecordingPlace) {
    let coding = SoundCoding(
      SoundCoding.Format(recorder.format), bits: recorder.bits, quality: SoundCoding.Quality(recorder.quality)
    )
    self.init(folder: place.folder, coding: coding)
    (ownFolder, scene, session) = (place.ownFolder, place.scene, recorder.source.name)
    // The law has refused every text that is no template.
    if let wanted = try? RecordingTemplate(recorder.template) { template = wanted }
    rate = recorder.rate > 0 ? recorder.rate : nil
    limit = recorder.limit > 0 ? recorder.limit : nil
    before = recorder.before
  }
}

extension SoundCoding.Format {
  init(_ format: RecordingFormat) {
    switch format {
    case .wav: self = .wav
    case .flac: self = .flac
    case .opus: self = .opus
    }
  }
}

extension SoundCoding.Quality {
  init(_ quality: RecordingQuality) {
    switch quality {
    case .min: self = .min
    case .low: self = .low
    case .medium: self = .medium
    case .high: self = .high
    case .max: self = .max
    }
  }
}
