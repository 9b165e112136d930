import Foundation
import OSC

/// Thousands of packets a second, but no more than the router can read: beyond that the system drops packets of all clients.
struct StormAttack: Attack {
  /// The content of the packets.
  enum Kind: CaseIterable {
    case faders, patterns, snapshots, requests, itself
  }

  let kind: Kind
  private static let most = 20_000_000

  var name: String {
    switch kind {
    case .faders: "fader messages, 4 subscribers"
    case .patterns: "packets of 200 patterns"
    case .snapshots: "snapshots, 64 each of 15 clients"
    case .requests: "requests, each from a port of its own"
    case .itself: "subscriptions of the router to itself"
    }
  }

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    var count = AttackCount()
    let (port, client) = (arena.router.port, try OSCClient(port: arena.router.port))
    let others = try (0..<15).map { _ in try OSCClient(port: port) }
    if kind == .faders {
      for other in others.prefix(4) { try other.send(OSCMessage("/subscribe", "/session")) }
    }
    while .now < end, count.tried < Self.most {
      switch kind {
      case .faders:
        for step in 0..<20 { try client.send(OSCMessage("/session/s1/gain", .float(-Float(step)))) }
        count.tried += 20
        usleep(1_000)
      case .patterns:
        let messages = (0..<200).map { OSCMessage("/session/*/stream/*/gain\($0 % 2 == 0 ? "" : "?")") }
        try client.send(.bundle(OSCBundle(messages.map(OSCPacket.message))))
        // The next packet waits for the end of this one.
        try client.send(OSCMessage("/sync", 1))
        while try client.receive(timeout: .seconds(10))?.messages.contains(where: { $0.address == "/synced" })
          == false
        {}
        count.tried += 1
      case .snapshots:
        for other in others {
          let messages = (0..<64).map { OSCMessage("/snapshot", .string("/{session,x\($0)}")) }
          try other.send(.bundle(OSCBundle(messages.map(OSCPacket.message))))
        }
        count.tried += 15 * 64
        usleep(50_000)
      case .requests:
        for number in 0..<10 {
          let stranger = try OSCClient(port: port)
          try stranger.send(OSCMessage("/request", .int32(Int32(number)), "/session/s1/gain", -3.0))
        }
        count.tried += 10
        usleep(1_000)
      case .itself:
        try client.send(OSCMessage("/subscribe", "", 30, .int32(Int32(port))))
        try client.send(OSCMessage("/session/s1/gain", .float(-Float(count.tried % 60))))
        count.tried += 1
        if count.tried.isMultiple(of: 50) { try arena.surface.send("/get", "/media/state") }
      }
    }
    // The last value is in force: that of the storm, or one of another client behind it.
    let fader = kind == .faders ? "/session/s1/gain" : "/session/s2/gain"
    if kind == .faders {
      try client.send(OSCMessage(fader, -3.5))
    } else {
      try arena.surface.send(fader, -3.5)
    }
    let last = try arena.stage.ask({ try arena.surface.number(fader) }, until: { $0 == -3.5 })
    for other in others + [client] { try other.send(OSCMessage("/bye")) }
    count.survived = last == -3.5 ? count.tried : 0
    return count
  }
}
