import CBenchReference
import Glibc
import OSC

/// `scsynth`, SuperCollider's server, with a synthesizer that multiplies one input by a gain. It is what many people control by OSC today.
final class SynthServer {
  let child: ChildClient
  let client: OSCClient
  private let node: Int32 = 1_000

  /// Starts it, and connects it between a source and a device.
  init(_ server: BenchServer, from source: BareClient, to device: String) throws(BenchError) {
    let port = UInt16(20_000 + getpid() % 20_000)
    child = try ChildClient.synth(port: port, channels: 1, server)
    do throws(SocketError) {
      client = try OSCClient(port: port)
      try Self.awaitAnswer(client)
      let definition = SynthDefinition(name: "gain", input: 1, output: 0)
      try client.send(OSCMessage("/d_recv", .blob(definition.bytes)))
      try Self.await("/done", client)
      try client.send(OSCMessage("/s_new", .string("gain"), .int32(node), .int32(0), .int32(0)))
    } catch { throw BenchError("\(error)") }
    try source.connect(BareClient.output(1, of: source.name), "SuperCollider:in_1")
    try source.connect("SuperCollider:out_1", "\(device):in_1")
  }

  /// Starts it with a synthesizer for each crosspoint of a matrix of `channels` inputs and outputs, and connects its inputs to a source.
  /// - Parameter crosspoints: input and output of each, counted from 0.
  init(
    _ server: BenchServer, from source: BareClient, channels: Int, crosspoints: [(input: Int, output: Int)]
  ) throws(BenchError) {
    let port = UInt16(20_000 + getpid() % 20_000)
    child = try ChildClient.synth(port: port, channels: channels, server)
    do throws(SocketError) {
      client = try OSCClient(port: port)
      try Self.awaitAnswer(client)
      for (index, crosspoint) in crosspoints.enumerated() {
        let definition = SynthDefinition(
          name: "gain\(index)", input: Float(channels + crosspoint.input), output: Float(crosspoint.output))
        try client.send(OSCMessage("/d_recv", .blob(definition.bytes)))
        try Self.await("/done", client)
        let number = node + Int32(index)
        try client.send(OSCMessage("/s_new", .string("gain\(index)"), .int32(number), .int32(1), .int32(0)))
        try client.send(OSCMessage("/n_set", .int32(number), .string("amp"), .float(0.01)))
      }
      try client.send(OSCMessage("/sync", .int32(1)))
      try Self.await("/synced", client)
    } catch { throw BenchError("\(error)") }
    for channel in 1...channels {
      try source.connect(BareClient.output(channel, of: source.name), "SuperCollider:in_\(channel)")
    }
  }

  /// A gain in amplitude.
  func message(_ gain: Float) -> OSCMessage {
    OSCMessage("/n_set", .int32(node), .string("amp"), .float(gain))
  }

  private static func awaitAnswer(_ client: OSCClient) throws(SocketError) {
    for _ in 0..<200 {
      do throws(SocketError) {
        try client.send(OSCMessage("/status"))
        if try client.receive(timeout: .milliseconds(50)) != nil { return }
      } catch  where error.isRefused {
        usleep(50_000)
      }
    }
  }

  private static func await(_ address: String, _ client: OSCClient) throws(SocketError) {
    while let packet = try client.receive(timeout: .seconds(5)) {
      if case .message(let message) = packet, message.address == address { return }
    }
  }
}
