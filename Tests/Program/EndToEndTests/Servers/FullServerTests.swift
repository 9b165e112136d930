import JackServer
import OSC
import TestKit
import Testing

/// A JACK server that has room for few ports.
@Suite struct FullServerTests {
  @Test(
    "A client that makes sessions without end leaves room for the others, and is told why it gets no more")
  func client() async throws {
    let server = try await PrivateServer { $0.portLimit = 256 }
    let folder = try TemporaryFolder()
    let router = try RouterProcess(preset: nil, server: server.name, in: folder, owners: [server])
    let surfaces = [try ControlSurface(port: router.port), try ControlSurface(port: router.port)]
    var made = 0
    func fill(_ surface: ControlSurface) throws -> String {
      for _ in 0..<256 {
        do {
          try surface.send("/session/create", .string("s\(made)"), "playback")
        } catch let refusal as ControlSurface.Refusal {
          return "\(refusal)"
        }
        made += 1
      }
      return "all were made"
    }
    let first = try fill(surfaces[0])
    #expect(first.contains("one client may use at most half of them"), "\(first)")
    let share = made
    #expect((50...64).contains(share), "two ports each, half of fewer than 256")
    let second = try fill(surfaces[1])
    #expect(second.contains("the last 64 stay free for programs"), "\(second)")
    #expect(made > share && made <= 96)
    // The server really has room for the programs of the evening.
    let stage = try server.stage()
    try stage.do("device Desk 32 8")
    try stage.do("source Band 16 silence")
    try surfaces[0].sync()
    let ports = try stage.names("ports").filter { $0.hasPrefix("multiroute:s") }
    #expect(ports.count == 2 * made)
    #expect(router.terminate().code == 0)
  }
}
