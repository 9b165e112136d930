import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite("New ports of programs") struct NewPortsTests {
  private let band = Show.program("Band", 2)
  private let devices = Show.devices

  @Test(
    "A program's port is new for a tenth of a second; ports that were there at first, and devices, are never new"
  )
  func youth() {
    var ports = NewPorts(band)
    ports.note(band + Show.program("Cue", 1) + devices, at: 1)
    #expect(ports.contains("Cue:out_1", at: 1) && ports.contains("Cue:out_1", at: 1.09))
    #expect(!ports.contains("Cue:out_1", at: 1.1))
    #expect(!ports.contains("Band:out_1", at: 1))
    #expect(ports.appearance(of: "Cue:out_1") == 1 && ports.appearance(of: "Band:out_1") == nil)
    for device in devices { #expect(!ports.contains(device.name, at: 1)) }
    // A port that goes and comes back is new again.
    ports.note(band, at: 2)
    ports.note(band + Show.program("Cue", 1), at: 3)
    #expect(ports.contains("Cue:out_1", at: 3))
  }

  @Test("A new port waits 5 ms for others of its client, and that wait ends with the next decision")
  func gathering() {
    var ports = NewPorts(devices)
    #expect(ports.due == nil && ports.takeGathering(at: 1) == [])
    ports.note(devices + Show.program("Cue", 1), at: 1)
    #expect(ports.due == 1.005)
    #expect(ports.takeGathering(at: 1.001) == ["Cue:out_1"])
    ports.note(devices + Show.program("Cue", 2), at: 1.004)
    #expect(ports.takeGathering(at: 1.006) == ["Cue:out_2"])
    #expect(ports.takeGathering(at: 1.01) == [] && ports.due == nil)
    // A device makes no decision due: its ports wait for each other elsewhere (`PortSettling`).
    ports.note(Show.program("Cue", 2), at: 2)
    ports.note(devices + Show.program("Cue", 2), at: 3)
    #expect(ports.due == nil)
  }

  @Test("A program that removes its connections again and again counts as starting for two seconds at most")
  func starting() {
    var ports = NewPorts([])
    ports.note(Show.program("Cue", 1), at: 1)
    for time in stride(from: 1, to: 2.9, by: 0.4) {
      #expect(ports.isStarting("Cue:out_1", at: time))
      ports.goOnStarting("Cue:out_1", at: time)
    }
    #expect(!ports.isStarting("Cue:out_1", at: 3.1))
    #expect(ports.appearance(of: "Cue:out_1") == 1)
  }

  @Test("A port that the server refuses to connect stays new, and came when it came")
  func refused() {
    var ports = NewPorts(band)
    ports.note(band + Show.program("Cue", 1), at: 1)
    ports.renew(["Cue:out_1", "Band:out_1", "multiroute:show.cue_1"], at: 2)
    #expect(ports.appearance(of: "Cue:out_1") == 1 && ports.appearance(of: "Band:out_1") == nil)
    #expect(ports.isStarting("Band:out_1", at: 2.4))
    #expect(ports.contains("Cue:out_1", at: 2.05) && !ports.contains("multiroute:show.cue_1", at: 2.05))
  }

  @Test(
    "A new program that connects itself to the router does not end the wait for the other ports of a device")
  func settling() async {
    let server = MemoryServer(devices)
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.ports + Show.session { router.happen(event) }
      server.plug(Show.device("Headset", playback: 2))
      server.plug(Show.program("Cue", 1))
      router.tick()
      server.connectByHand("Cue:out_1", to: "multiroute:show.band_1")
      router.tick()
      #expect(router.connection?.settling.isPending == true)
      #expect(!router.state.outputs.values.contains { $0.name == "Headset" })
    }
    router.executor.stop()
  }

  @Test("A connection that a starting program removes is made again at its notice")
  func pulled() async {
    let server = MemoryServer(devices)
    let router = Router(Router.Settings(), server: server, isInline: true)
    let new = ["Click:out_1", "multiroute:show.click_1"]
    await router.perform { router in
      router.join()
      for event in Show.ports + Show.session { router.happen(event) }
      server.plug(Show.program("Click", 1))
      router.tick()
      #expect(server.connections.contains(new))
      server.disconnectByHand(new[0], from: new[1])
      router.tick()
      #expect(server.connections.contains(new))
    }
    router.executor.stop()
  }
}
