import Parameters

/// An address of the table with ids, and the kind of its parameter.
struct Leaf: Equatable {
  let address: String
  let kind: Kind

  /// - Parameters:
  ///   - template: an address of the table, such as `/session/<s>/gain`.
  ///   - ids: an id for each of its placeholders, in their order.
  init(_ template: String, _ ids: String...) { self.init(template, ids: ids) }

  init(_ template: String, ids: [String]) {
    guard let parameter = Table.parameters.first(where: { $0.address == template }) else {
      preconditionFailure("the table has no \(template)")
    }
    var ids = ids[...]
    let parts = parameter.parts.map { part in
      Placeholder(rawValue: String(part)) == nil ? String(part) : ids.removeFirst()
    }
    (address, kind) = ("/" + parts.joined(separator: "/"), parameter.kind)
    isPluginControl = parameter.isPluginControl
  }

  /// Whether the address is that of a plugin's control.
  let isPluginControl: Bool
  /// The address of the position of a level or control, from 0 to 1.
  var fader: String { isPluginControl ? "\(address)/fader" : address.dropLast("gain".count) + "fader" }
  /// The address at which a surface tells that a hand is on the fader.
  var touch: String { fader + "/touch" }
  /// The address of a level or control as a label.
  var label: String { address + "/text" }
}
