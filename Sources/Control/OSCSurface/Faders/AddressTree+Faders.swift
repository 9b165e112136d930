import OSC
import Parameters

extension AddressTree {
  /// The addresses of a packet that only moves faders and other continuous values; empty for any other packet.
  func faders(of packet: OSCPacket) -> [String] {
    var addresses: [String] = []
    for message in packet.messages {
      guard message.arguments.count == 1, message.arguments[0].number != nil,
        AddressPattern.isPlain(message.address), isFader(message.address)
      else {
        return []
      }
      addresses.append(message.address)
    }
    return addresses
  }

  /// Whether an address may be that of a continuous value, in whatever state.
  private func isFader(_ address: String) -> Bool {
    var node = root
    for part in address.split(separator: "/") {
      if let child = node.children[String(part)] {
        node = child
      } else if let branch = node.placeholders.first {
        node = branch.node
      } else {
        return false
      }
    }
    guard let leaf = node.leaf, case .control = leaf.parameter.binding else { return false }
    return leaf.aspect == .value || leaf.aspect == .position
  }
}
