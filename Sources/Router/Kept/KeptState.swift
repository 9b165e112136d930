public import OSC
import Presets

/// What a crash must not lose: the preset that was in force, everything that was set since, and what others must get back.
public struct KeptState: Equatable, Sendable {
  /// The preset's id.
  public var preset: String
  /// Messages that set everything again.
  public var settings: [OSCMessage]
  public var taken: TakenCables?

  init(preset: String, settings: [OSCMessage], taken: TakenCables? = nil) {
    (self.preset, self.settings, self.taken) = (preset, settings, taken)
  }

  /// As a JSON document.
  var text: String {
    JSONValue.object([
      JSONValue.Member("multiroute", .number(1)), JSONValue.Member("preset", .string(preset)),
      JSONValue.Member(
        "settings",
        .array(
          settings.map { message in
            .array([.string(message.address)] + message.arguments.map(Self.value))
          })),
      JSONValue.Member("server", .string(taken?.server ?? "")),
      JSONValue.Member(
        "taken", .array((taken?.links ?? []).map { .array([.string($0.source), .string($0.sink)]) })),
    ]).text
  }

  /// Reads the document; nil if it is not whole, as after a crash of the machine.
  public init?(text: [UInt8]) {
    guard case .object(let members)? = JSON5Reader.read(text, file: "state").value?.kind else { return nil }
    var entries: [String: PositionedValue.Kind] = [:]
    for member in members { entries[member.key] = member.value.kind }
    guard case .string(let preset)? = entries["preset"], case .array(let rows)? = entries["settings"] else {
      return nil
    }
    self.preset = preset
    settings = rows.compactMap { row in
      guard case .array(let words) = row.kind, case .string(let address)? = words.first?.kind else {
        return nil
      }
      return OSCMessage(address, words.dropFirst().compactMap { Self.argument($0.kind) })
    }
    // A router before this one did not write it.
    guard case .string(let server)? = entries["server"], case .array(let cables)? = entries["taken"] else {
      return
    }
    let links = cables.compactMap { row -> Link? in
      guard case .array(let names) = row.kind, case .string(let source)? = names.first?.kind,
        case .string(let sink)? = names.last?.kind
      else { return nil }
      return Link(source: source, sink: sink)
    }
    if !links.isEmpty { taken = TakenCables(server: server, links: Set(links)) }
  }

  /// Floats are told from integers by an object, since JSON has only numbers.
  private static func value(_ argument: OSCArgument) -> JSONValue {
    switch argument {
    case .int32(let number): .number(Double(number))
    case .float(let number): .object([JSONValue.Member("f", .number(Double(number)))])
    case .string(let text): .string(text)
    default: .string("\(argument)")
    }
  }

  private static func argument(_ kind: PositionedValue.Kind) -> OSCArgument? {
    switch kind {
    case .number(let number, _): Int32(exactly: number).map { .int32($0) }
    case .string(let text): .string(text)
    case .object(let members):
      if case .number(let number, _)? = members.first?.value.kind { .float(Float(number)) } else { nil }
    default: nil
    }
  }
}
