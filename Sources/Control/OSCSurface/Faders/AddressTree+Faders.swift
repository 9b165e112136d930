import OSC
import Parameters
import Patterns

extension AddressTree {
  /// The faders and other continuous values that a packet moves, as the addresses of their values; empty if the packet does anything else.
  func faders(of packet: OSCPacket) -> [String] {
    var faders: [String] = []
    for message in packet.messages {
      guard message.arguments.count == 1, message.arguments[0].number != nil,
        AddressPattern.isPlain(message.address), let fader = fader(at: message.address)
      else { return [] }
      faders.append(fader)
    }
    return faders
  }

  /// The address of the continuous value that an address moves in dB or as a position, whatever exists now; nil for any other address.
  private func fader(at address: String) -> String? {
    var node = root
    let parts = address.split(separator: "/")
    for part in parts {
      if let child = node.children[String(part)] {
        node = child
      } else if let branch = node.placeholders.first {
        node = branch.node
      } else {
        return nil
      }
    }
    guard let leaf = node.leaf, case .control = leaf.parameter.binding else { return nil }
    switch leaf.aspect {
    case .value, .position: return leaf.valueAddress(address)
    default: return nil
    }
  }
}
