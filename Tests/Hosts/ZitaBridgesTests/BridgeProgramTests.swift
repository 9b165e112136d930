import SessionModel
import Testing

@testable import ZitaBridges

/// The arguments of the bridge programs, as their manual pages define them.
@Suite struct BridgeProgramTests {
  private func words(_ direction: Direction, _ far: Bridge.Far, channels: Int = 2) -> String {
    let bridge = Bridge(direction, channels: channels, to: far)
    let program = BridgeProgram(bridge, for: "far", server: "stage", rate: 44_100)
    return ([program.name] + program.arguments).joined(separator: " ")
  }

  @Test("A card is opened at the server's rate unless the preset names another rate")
  func cards() {
    let card = Bridge.Card(device: "hw:USB")
    #expect(words(.output, .card(card), channels: 8) == "zita-j2a -j j2a-far -d hw:USB -r 44100 -c 8 -v")
    let slow = Bridge.Card(device: "hw:1,0", rate: 48_000, period: 128, periods: 3)
    #expect(words(.input, .card(slow)) == "zita-a2j -j a2j-far -d hw:1,0 -r 48000 -c 2 -p 128 -n 3 -v")
  }

  @Test(
    "A program that sends gets a number of channels and a format; one that receives gets a list of channels and a buffer"
  )
  func networks() {
    let plain = Bridge.Network(address: "192.0.2.20", port: 30_042)
    #expect(words(.output, .network(plain)) == "zita-j2n --jname j2n-far --chan 2 192.0.2.20 30042")
    #expect(
      words(.input, .network(plain), channels: 3)
        == "zita-n2j --jname n2j-far --chan 1,2,3 --info 192.0.2.20 30042")
    var full = Bridge.Network(address: "239.0.0.1", port: 5_000, interface: "eth0", format: .int16)
    #expect(
      words(.output, .network(full), channels: 64)
        == "zita-j2n --jname j2n-far --chan 64 --16bit 239.0.0.1 5000 eth0")
    (full.format, full.buffer) = (nil, 0.0255)
    #expect(
      words(.input, .network(full), channels: 1)
        == "zita-n2j --jname n2j-far --chan 1 --buff 26 --info 239.0.0.1 5000 eth0")
  }

  @Test("A program joins our server and never starts one")
  func server() {
    let bridge = Bridge(.output, channels: 2, to: .card(Bridge.Card(device: "hw:0")))
    #expect(
      BridgeProgram(bridge, for: "far", server: "stage", rate: 48_000).variables
        == ["JACK_NO_START_SERVER=1", "JACK_DEFAULT_SERVER=stage"])
    #expect(
      BridgeProgram(bridge, for: "far", server: nil, rate: 48_000).variables == ["JACK_NO_START_SERVER=1"])
  }
}
