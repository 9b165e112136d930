import JSON5
import SessionModel

extension DocumentReader {
  /// The program that makes a port's JACK ports; nil if a required key is missing or cannot be read.
  static func bridge(_ value: ValueReader) -> BridgeEntry? {
    guard let object = value.object(.bridge),
      let tool = object.required("tool", example: "\"zita-j2n\"")?.choice(Bridge.Tool.self)
    else { return nil }
    for key in object.members.map(\.key) where tool.foreignKeys.contains(key) {
      object[key]?.report("\(key.quoted) is not a setting of \(tool.rawValue)", fix: "remove it")
    }
    return (tool.isForCards ? card(object) : network(object)).map { BridgeEntry(tool: tool, far: $0) }
  }

  private static func card(_ object: ObjectReader) -> Bridge.Far? {
    guard let device = object.required("device", example: "\"hw:USB\"")?.text() else { return nil }
    return .card(
      Bridge.Card(
        device: device, rate: object["rate"]?.integer(PresetObject.cardRates),
        period: object["period"]?.integer(PresetObject.cardPeriods),
        periods: object["periods"]?.integer(PresetObject.cardBuffers)))
  }

  private static func network(_ object: ObjectReader) -> Bridge.Far? {
    let address = object.required("address", example: "\"192.0.2.20\"").flatMap(word)
    let port = object.required("port", example: "30042")?.integer(PresetObject.networkPorts)
    guard let address, let port else { return nil }
    if Bridge.Network.isMulticast(address), object["interface"] == nil {
      object["address"]?.report(
        "\(address.quoted) is a multicast address, which needs \("interface".quoted)",
        fix: "add the network interface, for instance \("interface".quoted): \("eth0".quoted)")
    }
    return .network(
      Bridge.Network(
        address: address, port: port, interface: object["interface"].flatMap(word),
        format: object["format"]?.choice(Bridge.Format.self),
        buffer: object["buffer"]?.number(PresetObject.networkBuffers, unit: "s")))
  }

  /// A text that no program mistakes for one of its options.
  private static func word(_ value: ValueReader) -> String? {
    guard let text = value.text() else { return nil }
    guard !text.hasPrefix("-"), !text.contains(" ") else {
      value.report(
        "\(text.quoted) is not a name or address", fix: "write it without blanks and without - before it")
      return nil
    }
    return text
  }
}

extension Bridge.Tool {
  /// The keys of a bridge's entry that the tool needs.
  var neededKeys: [String] { isForCards ? ["device"] : ["address", "port"] }

  /// The keys that are settings of other tools. Of those for the network, the sender chooses the format, and the receiver has the buffer.
  var foreignKeys: [String] {
    guard !isForCards else { return ["address", "port", "interface", "format", "buffer"] }
    return ["device", "rate", "period", "periods", self == .networkToJack ? "format" : "buffer"]
  }
}
