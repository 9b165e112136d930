/// A session's options. Bits and names are AVAudioSession's.
public struct SessionOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let mixWithOthers = SessionOptions(rawValue: 0x1)
  public static let duckOthers = SessionOptions(rawValue: 0x2)
  public static let allowBluetoothHFP = SessionOptions(rawValue: 0x4)
  public static let defaultToSpeaker = SessionOptions(rawValue: 0x8)
  /// Contains `mixWithOthers`.
  public static let interruptSpokenAudioAndMixWithOthers = SessionOptions(rawValue: 0x11)
  /// The bit that `interruptSpokenAudioAndMixWithOthers` has besides `mixWithOthers`. It is no option by itself.
  public static let interruptSpokenAudio = SessionOptions(rawValue: 0x10)
  public static let allowBluetoothA2DP = SessionOptions(rawValue: 0x20)
  public static let allowAirPlay = SessionOptions(rawValue: 0x40)
  public static let overrideMutedMicrophoneInterruption = SessionOptions(rawValue: 0x80)
  public static let farFieldInput = SessionOptions(rawValue: 1 << 18)
  public static let bluetoothHighQualityRecording = SessionOptions(rawValue: 1 << 19)

  /// Every option by name, in ascending order of its highest bit.
  public static let named: [(name: String, option: SessionOptions)] = [
    ("mixWithOthers", .mixWithOthers), ("duckOthers", .duckOthers),
    ("allowBluetoothHFP", .allowBluetoothHFP), ("defaultToSpeaker", .defaultToSpeaker),
    ("interruptSpokenAudioAndMixWithOthers", .interruptSpokenAudioAndMixWithOthers),
    ("allowBluetoothA2DP", .allowBluetoothA2DP), ("allowAirPlay", .allowAirPlay),
    ("overrideMutedMicrophoneInterruption", .overrideMutedMicrophoneInterruption),
    ("farFieldInput", .farFieldInput),
    ("bluetoothHighQualityRecording", .bluetoothHighQualityRecording),
  ]

  /// All bits that belong to an option.
  public static let known = named.reduce(into: SessionOptions()) { $0.formUnion($1.option) }

  /// The option with a name, in capitals or small letters. `allowBluetooth` is the old name of `allowBluetoothHFP`.
  public static func option(named name: String) -> SessionOptions? {
    let name = name.lowercased()
    if name == "allowbluetooth" { return .allowBluetoothHFP }
    return named.first { $0.name.lowercased() == name }?.option
  }

  /// The names in ascending bit order. 0x11 is one option and has one name.
  public var names: [String] {
    Self.named.compactMap { name, option in
      guard isSuperset(of: option) else { return nil }
      if option == .mixWithOthers, isSuperset(of: .interruptSpokenAudioAndMixWithOthers) { return nil }
      return name
    }
  }

  /// The options as text, such as `mixWithOthers+duckOthers`, or `none`.
  public var text: String { isEmpty ? "none" : names.joined(separator: "+") }
}
