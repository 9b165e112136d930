import Foundation
import OSC
import PacketFuzz

/// A surface whose network loses, repeats and reorders packets. It sends each request again until it is answered, so each must be
/// carried out exactly once; and it moves a fader, whose last position must be in force.
struct WeatherAttack: Attack {
  let name = "requests over a lossy network"
  private static let most = 10_000
  /// Seconds after which the surface sends a request again, and after which it gives up.
  private static let (again, patience) = (0.15, 20.0)

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    let proxy = try LossyProxy(to: arena.router.port, seed: arena.mutator.chance.next())
    let client = try OSCClient(port: proxy.port)
    var count = AttackCount()
    try arena.surface.send("/session/s2/mute", 0)
    while .now < end, count.tried < Self.most {
      for step in 0..<10 { try client.send(OSCMessage("/session/s1/gain", .float(-Float(step)))) }
      let number = Int32(count.tried + 1)
      let isAnswered = try ask(client, number, "/session/s2/mute/toggle")
      // One toggle too few or too many would leave the wrong state.
      let isRight = try arena.surface.number("/session/s2/mute") == Double(number % 2)
      count.add(isAnswered && isRight)
    }
    let isAnswered = try ask(client, 0, "/session/s1/gain", -12.5)
    // Faders that were under way when the request arrived may come behind it.
    try client.send(OSCMessage("/bye"))
    let weather = proxy.finish()
    if !isAnswered || weather.lost == 0 || weather.repeated == 0 { count.tried += 1 }
    return count
  }

  /// Sends a request until it is answered. Returns false if no answer came.
  private func ask(_ client: OSCClient, _ number: Int32, _ arguments: OSCArgument...) throws -> Bool {
    let (request, start) = (OSCMessage("/request", [.int32(number)] + arguments), ContinuousClock.now)
    while start.secondsSince < Self.patience {
      try client.send(request)
      let sent = ContinuousClock.now
      while sent.secondsSince < Self.again {
        let rest = Duration.seconds(Self.again - sent.secondsSince)
        guard let packet = try client.receive(timeout: max(rest, .zero)) else { break }
        let isAnswer = packet.messages.contains {
          $0.address == "/response" && $0.arguments.first == .int32(number)
        }
        if isAnswer { return true }
      }
    }
    return false
  }
}
