import Parameters

/// An address of the table with ids, and the kind of its parameter.
struct Leaf: Equatable {
  let address: String
  let kind: Kind

  /// - Parameters:
  ///   - template: an address of the table, such as `/session/<s>/gain`.
  ///   - ids: an id for each of its placeholders, in their order.
  init(_ template: String, _ ids: String...) {
    guard let parameter = Table.parameters.first(where: { $0.address == template }) else {
      preconditionFailure("the table has no \(template)")
    }
    var ids = ids[...]
    let parts = parameter.parts.map { part in
      Placeholder(rawValue: String(part)) == nil ? String(part) : ids.removeFirst()
    }
    (address, kind) = ("/" + parts.joined(separator: "/"), parameter.kind)
  }

  /// The address of a level's position, from 0 to 1.
  var fader: String { address.dropLast("gain".count) + "fader" }
  /// The address at which a surface tells that a hand is on the fader.
  var touch: String { fader + "/touch" }
  /// The address of a level as a label.
  var label: String { address + "/text" }
}
