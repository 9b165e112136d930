import Queues
import SessionModel

/// A property that surfaces and presets can read and set, and its conversion to and from `Value`.
protocol ParameterValue: Sendable {
  /// The value in the form for surfaces and presets.
  var value: Value { get }
  /// Reads a value.
  /// - Throws: `SessionError` badType or badValue if the property cannot have the value.
  init(_ value: Value) throws(SessionError)
}

extension Bool: ParameterValue {
  var value: Value { .flag(self) }
  init(_ value: Value) throws(SessionError) {
    guard case .flag(let flag) = value else { throw value.mismatch(with: "a switch") }
    self = flag
  }
}

extension Int: ParameterValue {
  var value: Value { .integer(self) }
  init(_ value: Value) throws(SessionError) {
    guard case .integer(let number) = value else { throw value.mismatch(with: "an integer") }
    self = number
  }
}

extension Double: ParameterValue {
  var value: Value { .number(self) }
  init(_ value: Value) throws(SessionError) {
    guard case .number(let number) = value else { throw value.mismatch(with: "a number") }
    self = number
  }
}

extension String: ParameterValue {
  var value: Value { .text(self) }
  init(_ value: Value) throws(SessionError) {
    guard case .text(let text) = value else { throw value.mismatch(with: "a text") }
    self = text
  }
}

/// `none` means nil.
extension Optional: ParameterValue where Wrapped: ParameterText {
  var value: Value { .text(self?.text ?? "none") }
  init(_ value: Value) throws(SessionError) {
    let text = try String(value)
    self = text == "none" ? nil : try Wrapped(parameterText: text)
  }
}

extension Array: ParameterValue where Element: ParameterText {
  var value: Value { .texts(map(\.text)) }
  init(_ value: Value) throws(SessionError) {
    guard case .texts(let texts) = value else { throw value.mismatch(with: "a list of texts") }
    self = []
    for text in texts { append(try Element(parameterText: text)) }
  }
}

extension Value {
  fileprivate func mismatch(with wanted: String) -> SessionError {
    SessionError(.badType, "\(self) is not \(wanted)")
  }
}

/// A case of an enumeration, spelled as in OSC and presets.
extension ParameterValue where Self: RawRepresentable<String> & CaseIterable {
  var value: Value { .text(rawValue) }
  init(_ value: Value) throws(SessionError) {
    let text = try String(value)
    guard let choice = Self(rawValue: text) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw SessionError(.badValue, "'\(text)' is not one of \(known)")
    }
    self = choice
  }
}

extension Activation: ParameterValue {}
extension Category: ParameterValue {}
extension DeactivationConduct: ParameterValue {}
extension DuckScope: ParameterValue {}
extension FadeCurve: ParameterValue {}
extension FinishConduct: ParameterValue {}
extension InterruptionScope: ParameterValue {}
extension IOState: ParameterValue {}
extension Mode: ParameterValue {}
extension PlayerState: ParameterValue {}
extension PortOverride: ParameterValue {}
extension PortType: ParameterValue {}
extension Priority: ParameterValue {}
extension PromptStyle: ParameterValue {}
extension RecorderState: ParameterValue {}
extension RecordingFormat: ParameterValue {}
extension RecordingQuality: ParameterValue {}
extension RecordPermission: ParameterValue {}
extension RepeatMode: ParameterValue {}
extension Resumption: ParameterValue {}
extension SharingPolicy: ParameterValue {}
extension ShuffleMode: ParameterValue {}
extension SoloPoint: ParameterValue {}
extension Tap: ParameterValue {}
extension UnplugConduct: ParameterValue {}
extension VoiceFallback: ParameterValue {}
extension VoiceState: ParameterValue {}

// MARK: Texts with a grammar

/// A property that is written as one word or pattern.
protocol ParameterText: Sendable {
  var text: String { get }
  /// - Throws: `SessionError` badValue.
  init(parameterText text: String) throws(SessionError)
}

/// A free text, such as the name of a group.
extension String: ParameterText {
  var text: String { self }
  init(parameterText text: String) { self = text }
}

extension PortID: ParameterText {
  var text: String { name }
  init(parameterText text: String) throws(SessionError) {
    guard let id = PortID(text) else {
      throw SessionError(
        .badValue, "'\(text)' is not a valid port id; ids are lower-case letters, digits, - and _")
    }
    self = id
  }
}

extension Color: ParameterText {
  init(parameterText text: String) throws(SessionError) {
    guard let color = Color(text) else {
      throw SessionError(.badValue, "'\(text)' is not a colour; write #rrggbb, such as #ff8800, or none")
    }
    self = color
  }
}

extension ChannelNumber: ParameterText {
  var text: String { "\(value)" }
  init(parameterText text: String) throws(SessionError) {
    guard let channel = Int(text).flatMap({ ChannelNumber($0) }) else {
      throw SessionError(
        .badValue, "'\(text)' is not a channel; write numbers from 1 to \(Port.maximumChannels), or none")
    }
    self = channel
  }
}

extension OutputMeter: ParameterText {
  var text: String { rawValue }
  init(parameterText text: String) throws(SessionError) {
    guard let meter = OutputMeter(rawValue: text) else {
      let hint = NearestName.hint(for: text, among: Self.allCases.map(\.rawValue))
      throw SessionError(.badValue, "there is no meter '\(text)'; \(hint)")
    }
    self = meter
  }
}

extension StreamSource: ParameterText {
  init(parameterText text: String) throws(SessionError) {
    guard let source = StreamSource(text) else {
      throw SessionError(
        .badValue, "'\(text)' is neither a glob of JACK ports nor input:<id>:1-2 nor {application=<glob>}")
    }
    self = source
  }
}

extension ProgramPorts: ParameterText {
  init(parameterText text: String) throws(SessionError) {
    guard let entry = ProgramPorts(text) else {
      throw SessionError(
        .badValue,
        "'\(text)' is neither a glob of JACK ports nor {application=<glob>}; write none to feed no port")
    }
    self = entry
  }
}
