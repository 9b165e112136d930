import CBenchReference
import Glibc
import OSC

/// `scsynth`, SuperCollider's server, with a synthesizer that multiplies one input by a gain. It is what many people control by OSC today.
final class SynthServer {
  private let child: ChildClient
  let client: OSCClient
  private let node: Int32 = 1_000

  /// Starts it, and connects it between a source and a device.
  init(_ server: BenchServer, from source: BareClient, to device: String) throws(BenchError) {
    let port = UInt16(20_000 + getpid() % 20_000)
    child = try ChildClient.synth(port: port, server)
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
