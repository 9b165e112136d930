import OSC

/// What a router says about one of its addresses (`/system/describe`).
struct AddressHelp {
  let address: String
  let unit: String
  let access: String
  let kind: String
  /// The range, the choices or the arguments, in words.
  let range: String
  let meaning: String

  /// Asks the router.
  /// - Throws: `CommandFailure` failure if there is no such address, unavailable if no router answers.
  init(_ address: String, _ link: inout RouterLink) throws(CommandFailure) {
    let answer = try link.request(OSCMessage("/system/describe", .string(address))).first?.arguments ?? []
    let words = answer.map(\.plain)
    guard words.count >= 7 else {
      throw CommandFailure(.failure, "multiroute: the router does not describe \(address).")
    }
    self.address = address
    (unit, access, kind, range, meaning) = (words[2], words[3], words[4], words[5], words[6])
  }

  /// Whether the address acts instead of having a value.
  var acts: Bool { ["trigger", "command"].contains(kind) }

  /// The words that the first argument may be, if they are few.
  var values: [String] {
    switch kind {
    case "switch": ["on", "off"]
    case "choice": range.split(separator: " ").map(String.init)
    // A word behind the range, such as `inherit`.
    case "number": range.split(separator: " ").dropFirst().map(String.init)
    default: []
    }
  }

  /// `/output/usb/gain: level, -90..10 dB. The port's own level.`
  var line: String {
    let detail =
      switch kind {
      case "command": range.isEmpty ? "" : " \(range)"
      default: (range.isEmpty ? "" : ", \(range)") + (unit.isEmpty ? "" : " \(unit)")
      }
    let isFixed = access == "read" ? ", cannot be set" : ""
    return "\(address): \(kind)\(detail)\(isFixed). \(meaning)"
  }
}
