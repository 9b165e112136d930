import OSC
import Patterns

/// The players that a packet is about, as far as its place among other packets matters.
struct PlayerSubjects {
  private(set) var players: Set<String> = []
  /// Whether the packet may be about every player.
  private(set) var isAll = false
  /// Whether the packet asks for an answer after all earlier commands of its client.
  private(set) var isSync = false

  init(of packet: OSCPacket) {
    for message in packet.messages { note(message.address, Arguments(message.arguments)) }
  }

  /// Whether the packet is about no player.
  var isEmpty: Bool { players.isEmpty && !isAll }

  private mutating func note(_ address: String, _ arguments: Arguments) {
    let parts = address.split(separator: "/")
    switch parts.first {
    case "request" where arguments.all.count > 1:
      note(arguments.all[1].text ?? "", Arguments(arguments.behind(2)))
    case "get": note(arguments.first?.text ?? "", Arguments([]))
    case "sync": isSync = true
    case "remote": isAll = true
    case "player" where parts.count == 2:
      // Such as `/player/create`: the id is an argument. A list is about all players.
      if let id = arguments.first?.text { players.insert(id) } else { isAll = true }
    case "player":
      let id = parts.count > 2 ? parts[1] : ""
      if parts.count < 2 || AddressPattern.isPattern(id) { isAll = true } else { players.insert(String(id)) }
    case let first?: if AddressPattern.isPattern(first) { isAll = true }
    case nil: break
    }
  }
}
