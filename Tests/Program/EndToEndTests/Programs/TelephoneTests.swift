import Foundation
import OSC
import TestKit
import Testing

/// Programs that bring a guest from elsewhere, called over this machine's own network.
@Suite struct TelephoneTests {
  /// The settings of a baresip, in a folder of its own. It is at JACK, with 48 kHz and floats throughout.
  private static func settings(
    _ name: String, port: Int, in house: House, _ more: String
  ) throws -> String {
    let folder = house.folder.file(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let config = """
      sip_listen 127.0.0.1:\(port)
      net_interface 127.0.0.1
      module_path /usr/lib/baresip/modules
      module jack.so
      module opus.so
      module_app account.so
      module_app menu.so
      audio_player jack
      audio_source jack
      ausrc_srate 48000
      auplay_srate 48000
      ausrc_format float
      auplay_format float
      auenc_format float
      audec_format float
      opus_bitrate 128000
      \(more)

      """
    try config.write(toFile: folder + "/config", atomically: true, encoding: .utf8)
    let account = "<sip:\(name)@127.0.0.1:\(port)>;regint=0;answermode=auto;audio_codecs=opus/48000/2\n"
    try account.write(toFile: folder + "/accounts", atomically: true, encoding: .utf8)
    return folder
  }

  @Test(
    "baresip, which takes every device, gives its guest the mix without the microphone, and is heard at one output"
  )
  func baresip() async throws {
    let call = try await GuestHouse(send: "baresip*:input_*", receive: "baresip*:output_*")
    let house = call.house
    let ports = RealProgram.networkPorts(2)
    let there = try house.start(
      "baresip",
      [
        "-f",
        Self.settings(
          "there", port: ports[1], in: house, "jack_connect_ports no\njack_client_name Caller"),
      ])
    defer { there.send(signal: SIGKILL) }
    #expect(there.output.line(containing: "baresip is ready") != nil, "\(there.errors.text)")
    let here = try house.start(
      "baresip",
      [
        "-f", Self.settings("here", port: ports[0], in: house, "jack_connect_ports yes"),
        "-e", "/dial sip:there@127.0.0.1:\(ports[1])",
      ])
    defer { here.send(signal: SIGKILL) }
    try call.joinGuest(
      mouth: ["Caller-01:input_1", "Caller-01:input_2"], ear: ["Caller:output_1", "Caller:output_2"])
    // The player is the first client, the recorder the second.
    try call.expectConversation(
      send: ["baresip-01:input_1", "baresip-01:input_2"], receive: ["baresip:output_1", "baresip:output_2"])
    try call.expectOwnConnections(send: "baresip-01:input_1", receive: "baresip:output_1")
  }

  @Test("jacktrip without -D gives its guest the mix without the microphone, and is heard at one output")
  func jackTrip() async throws {
    let call = try await GuestHouse(send: "Remote:send_*", receive: "Remote:receive_*")
    let house = call.house
    let ports = RealProgram.networkPorts(2)
    let here = try house.start("jacktrip", ["-s", "-n", "2", "-J", "Remote", "-B", "\(ports[0])"])
    defer { here.send(signal: SIGKILL) }
    // Its ports can be connected from the moment when the guest is there.
    #expect(here.output.line(containing: "Waiting for Connection") != nil, "\(here.errors.text)")
    let there = try house.start(
      "jacktrip",
      [
        "-c", "127.0.0.1", "-n", "2", "-J", "Caller", "-D", "-B", "\(ports[1])", "-P", "\(ports[0])",
      ])
    defer { there.send(signal: SIGKILL) }
    try call.joinGuest(
      mouth: ["Caller:send_1", "Caller:send_2"], ear: ["Caller:receive_1", "Caller:receive_2"])
    try call.expectConversation(
      send: ["Remote:send_1", "Remote:send_2"], receive: ["Remote:receive_1", "Remote:receive_2"])
    try call.expectOwnConnections(send: "Remote:send_1", receive: "Remote:receive_1")
  }
}
