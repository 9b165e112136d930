import JSON5

/// A command that a client sends as text over its connection, such as `{"COMMAND":"LISTEN","DATA":"/output/usb/gain"}`.
enum QueryCommand: Equatable, Sendable {
  /// Wants the present value of an address, and every change of it.
  case listen(String)
  /// Wants no more changes.
  case ignore(String)

  /// Greatest size of a command, in bytes.
  static let mostBytes = 4_096

  /// Nil for text that is no such command.
  init?(_ text: [UInt8]) {
    guard text.count <= Self.mostBytes,
      case let (value?, problems) = JSON5Reader.read(text, file: ""), problems.isEmpty,
      let command = value.member("COMMAND")?.text, let address = value.member("DATA").flatMap(Self.address)
    else { return nil }
    switch command {
    case "LISTEN": self = .listen(address)
    case "IGNORE": self = .ignore(address)
    default: return nil
    }
  }

  /// The address itself; or a list that begins with it or an object that has it, as programs made with juce send them.
  private static func address(_ data: PositionedValue) -> String? {
    switch data.kind {
    case .string(let address): address
    case .array(let items): items.first?.text
    case .object: data.member("address")?.text
    default: nil
    }
  }
}

extension PositionedValue {
  fileprivate func member(_ key: String) -> PositionedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate var text: String? { if case .string(let text) = kind { text } else { nil } }
}
