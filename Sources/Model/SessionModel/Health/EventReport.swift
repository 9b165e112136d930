/// An event report: a change of a device, rate, volume or session as a key and a value.
///
/// Keys and values are those of the event reports of WebRTC on iOS. A value is text, also where it is a number.
public struct EventReport: Equatable, Sendable {
  public var key: Key
  public var value: String

  public init(_ key: Key, _ value: String) { (self.key, self.value) = (key, value) }

  /// Makes a report whose value is a number.
  public init(_ key: Key, _ value: Int) { self.init(key, String(value)) }

  /// The keys, as tools that read such reports spell them.
  public enum Key: String, CaseIterable, Sendable {
    /// The type of the port that a session records from or plays at; types of several ports are joined by `+`.
    case inputDevice = "InputDeviceChange"
    case outputDevice = "OutputDeviceChange"
    /// The sample rate of a session's input or output in Hz.
    case recordRate = "RecordSampleRateChange"
    case playoutRate = "PlayoutSampleRateChange"
    /// A failure to open, start or stop recording or playout: AVAudioSession's error number, or a negated `errno`.
    case initRecordingError = "InitRecordingErr"
    case startRecordingError = "StartRecordingErr"
    case stopRecordingError = "StopRecordingErr"
    case initPlayoutError = "InitPlayoutErr"
    case startPlayoutError = "StartPlayoutErr"
    case stopPlayoutError = "StopPlayoutErr"
    /// The fader of a session's first output, 0 to 100, once it has come to rest.
    case systemVolume = "SystemVolumeChange"
    /// The number of glitches since the start.
    case playoutGlitch = "PlayoutGlitch"
    /// What happens to a session. The value is the number of the kind, 0 to 5.
    case interruptionBegin = "audioInterruptionBegin"
    case interruptionEnd = "audioInterruptionEnd"
    case mediaServicesWereLost = "audioMediaServicesWereLost"
    case mediaServicesWereReset = "audioMediaServicesWereReset"
    case silenceHintBegin = "audioSilenceSecondaryAudioHintBegin"
    case silenceHintEnd = "audioSilenceSecondaryAudioHintEnd"
    /// The name of the category in AVAudioSession.
    case category = "CategoryChange"
    /// The options as AVAudioSession's bit mask.
    case categoryOptions = "CategoryOptionChange"
    /// The name of the mode in AVAudioSession.
    case mode = "ModeChange"
  }
}
