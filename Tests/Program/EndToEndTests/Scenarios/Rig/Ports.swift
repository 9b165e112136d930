/// An output of the rig, by its id in the preset.
enum Output: String, CaseIterable {
  /// Always there.
  case spk, ear
  /// Plugged in by a scenario.
  case phones, usb, hdmi, line, bt, hfp, air

  static let fixed = [spk, ear]
  static let pluggable = allCases.filter { !fixed.contains($0) }

  var channels: Int {
    switch self {
    case .ear, .hfp: 1
    case .usb: 4
    default: 2
    }
  }

  /// The type, as docs/develop/law/ports.md#1-port-types spells it.
  var type: String {
    switch self {
    case .spk: "builtInSpeaker"
    case .ear: "builtInReceiver"
    case .phones: "headphones"
    case .usb: "usbAudio"
    case .hdmi: "hdmi"
    case .line: "lineOut"
    case .bt: "bluetoothA2DP"
    case .hfp: "bluetoothHFP"
    case .air: "airPlay"
    }
  }
}

/// One channel of an output.
struct OutputChannel: Hashable, CustomStringConvertible {
  var output: Output
  /// From 1.
  var number: Int

  init(_ output: Output, _ number: Int) { (self.output, self.number) = (output, number) }

  var description: String { "\(output) \(number)" }
}

/// An input of the rig, by its id in the preset; the first channel of each picks up the sine of its id.
enum Input: String, CaseIterable {
  /// Always there.
  case mic
  /// Plugged in by a scenario.
  case hsmic, usb, usbin, hfp

  static let pluggable = allCases.filter { $0 != .mic }

  var channels: Int {
    switch self {
    case .usb: 4
    case .usbin: 2
    default: 1
    }
  }

  /// The type, as docs/develop/law/ports.md#1-port-types spells it.
  var type: String {
    switch self {
    case .mic: "builtInMic"
    case .hsmic: "headsetMic"
    case .usb, .usbin: "usbAudio"
    case .hfp: "bluetoothHFP"
    }
  }

  /// Its data sources, each with as many channels as the input has; those of one that has none are its own.
  var sources: [String] { self == .usb ? ["front", "back"] : [] }

  /// The sines that its JACK ports pick up, source by source; nil is silence.
  var sines: [String?] {
    let silence = [String?](repeating: nil, count: channels - 1)
    return [rawValue] + silence + (self == .usb ? ["back"] + silence : [])
  }
}

/// A set of ports that are plugged in and unplugged together.
enum Device: String, CaseIterable {
  case phones, headset, usb, usbin, hdmi, line, bt, hfp, air

  var outputs: [Output] {
    switch self {
    case .headset: [.phones]
    default: Output(rawValue: rawValue).map { [$0] } ?? []
    }
  }

  var inputs: [Input] {
    switch self {
    case .headset: [.hsmic]
    default: Input(rawValue: rawValue).map { [$0] } ?? []
    }
  }
}
