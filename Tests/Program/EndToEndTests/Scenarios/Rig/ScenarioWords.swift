import OSC

/// AVAudioSession's categories, as docs/develop/law/categories.md#1-the-categories spells them.
enum Category: String {
  case ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute

  var hasOutput: Bool { self != .record && self != .audioProcessing }
  var hasInput: Bool { [.record, .playAndRecord, .multiRoute].contains(self) }
}

/// AVAudioSession's modes, as docs/develop/law/modes.md#1-modes-and-categories spells them.
enum Mode: String {
  case `default`, voiceChat, videoChat, gameChat, videoRecording, measurement, moviePlayback, spokenAudio,
    voicePrompt, shortFormVideo, dualRoute
}

/// AVAudioSession's options, by the bits of its header (docs/develop/law/options.md#1-the-options).
struct Options: OptionSet, Hashable {
  var rawValue: Int32

  static let mix = Options(rawValue: 0x1)
  static let duck = Options(rawValue: 0x2)
  static let bluetoothHFP = Options(rawValue: 0x4)
  static let toSpeaker = Options(rawValue: 0x8)
  static let interruptSpoken = Options(rawValue: 0x11)
  static let bluetoothA2DP = Options(rawValue: 0x20)
  static let airPlay = Options(rawValue: 0x40)
  static let mutedMicrophone = Options(rawValue: 0x80)

  private static let names: [(Options, String)] = [
    (mix, "mixWithOthers"), (duck, "duckOthers"), (bluetoothHFP, "allowBluetoothHFP"),
    (toSpeaker, "defaultToSpeaker"), (interruptSpoken, "interruptSpokenAudioAndMixWithOthers"),
    (bluetoothA2DP, "allowBluetoothA2DP"), (airPlay, "allowAirPlay"),
    (mutedMicrophone, "overrideMutedMicrophoneInterruption"),
  ]

  /// As an OSC text.
  var text: String {
    let names = Self.names.filter { contains($0.0) }.map(\.1)
    return names.isEmpty ? "none" : names.joined(separator: "+")
  }
}

/// The priorities of a session.
enum Priority: String { case normal, call, alert }

/// A refusal's number and symbol (docs/develop/law/osc.md#13-errors).
struct RefusalCode: Equatable {
  var number: Int32
  var symbol: String

  static let badParam = RefusalCode(number: -50, symbol: "badParam")
  static let insufficientPriority = RefusalCode(number: 561_017_449, symbol: "!pri")
  static let cannotInterruptOthers = RefusalCode(number: 560_557_684, symbol: "!int")
  static let cannotStartPlaying = RefusalCode(number: 561_015_905, symbol: "!pla")
  static let cannotStartRecording = RefusalCode(number: 561_145_187, symbol: "!rec")
  static let resourceNotAvailable = RefusalCode(number: 561_145_203, symbol: "!res")
  static let incompatibleCategory = RefusalCode(number: 560_161_140, symbol: "!cat")
  static let sessionNotActive = RefusalCode(number: 1_768_841_571, symbol: "inac")
  static let isBusy = RefusalCode(number: 560_030_580, symbol: "!act")
}
