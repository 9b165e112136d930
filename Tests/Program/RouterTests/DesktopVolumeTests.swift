import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite struct DesktopVolumeTests {
  /// The interface, a microphone, a program and a recorder, with their volumes on the desktop; nil for a node without one. The recorder
  /// has that of the program.
  private static func ports(usb: SystemNode.Volume?, mic: SystemNode.Volume?, band: SystemNode.Volume?)
    -> [SystemPort]
  {
    let parts = [
      ("usb", "Audio/Sink", usb, Show.device("USB", playback: 4)),
      ("mic", "Audio/Source", mic, Show.device("Mic", capture: 1)),
      ("band", "Stream/Output/Audio", band, Show.program("Band", 2)),
      ("recorder", "Stream/Input/Audio", band, [SystemPort(name: "Recorder:in_1", isInput: true)]),
    ]
    return parts.flatMap { name, kind, volume, ports in
      ports.map { port in
        var port = port
        port.origin = .node(SystemNode(name: name, properties: ["media.class": kind], volume: volume))
        return port
      }
    }
  }

  @Test("The router notes the volumes of devices and programs on the desktop, and their changes")
  func noted() async {
    let server = MemoryServer(
      Self.ports(
        usb: SystemNode.Volume(percent: 40, isMuted: false), mic: nil,
        band: SystemNode.Volume(percent: 100, isMuted: true)))
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.ports.dropFirst() + Show.session { router.happen(event) }
      router.happen(.session("show", .captureChannels(1)))
      router.happen(.session("show", .captureDestinations([ProgramPorts("Recorder:*")!])))
      router.wire()
      let band = router.state.sessions["show"]?.streams["band"]
      #expect(router.state.outputs["usb"]?.desktopVolume == DesktopVolume(percent: 40, isMuted: false))
      #expect(router.state.inputs["mic"]?.desktopVolume == nil)
      #expect(
        band?.programVolumes == [ProgramVolume("Band", DesktopVolume(percent: 100, isMuted: true))])
      #expect(
        router.state.sessions["show"]?.recorderVolumes == [
          ProgramVolume("Recorder", DesktopVolume(percent: 100, isMuted: true))
        ])
      #expect(router.state.sessions["show"]?.streams["click"]?.programVolumes == [])

      for client in ["USB", "Mic", "Band", "Recorder"] { server.unplug(client) }
      server.plug(Self.ports(usb: nil, mic: SystemNode.Volume(percent: 0, isMuted: false), band: nil))
      router.tick()
      // A volume concerns no device as a whole, so the router does not wait for other ports of the device.
      #expect(router.connection?.settling.isPending == false)
      #expect(router.state.outputs["usb"]?.desktopVolume == nil)
      #expect(router.state.inputs["mic"]?.desktopVolume == DesktopVolume(percent: 0, isMuted: false))
      // The node of a program that uses JACK has no volume.
      #expect(
        router.state.sessions["show"]?.streams["band"]?.programVolumes == [ProgramVolume("Band", .full)])
    }
    router.executor.stop()
  }

  /// Gives ports a node with a volume.
  private static func set(_ percent: Int, isMuted: Bool, _ ports: [SystemPort]) -> [SystemPort] {
    let node = SystemNode(
      name: "node", properties: ["media.class": "Audio/Sink"],
      volume: SystemNode.Volume(percent: percent, isMuted: isMuted))
    return ports.map { port in
      var port = port
      port.origin = .node(node)
      return port
    }
  }

  @Test(
    "Of several devices in one output the loudest counts, and a monitor has the sound before its device's volume"
  )
  func loudest() async throws {
    let server = MemoryServer(
      Self.set(
        80, isMuted: true, Show.device("A", playback: 1) + [SystemPort(name: "A:monitor_1", isInput: false)])
        + Self.set(40, isMuted: false, Show.device("B", playback: 1)))
    let both = Show.port("both", .usbAudio, ["A:playback_1", "B:playback_1"], channels: 2)
    let monitor = try #require(ProgramPorts("A:monitor_1"))
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in [.declarePort(.output, both)] + Show.session { router.happen(event) }
      router.happen(.stream("show", "click", .sources([.ports(monitor)])))
      router.wire()
      #expect(router.state.outputs["both"]?.desktopVolume == DesktopVolume(percent: 40, isMuted: false))
      #expect(router.state.sessions["show"]?.streams["click"]?.programVolumes == [ProgramVolume("A", .full)])
    }
    router.executor.stop()
  }

  @Test("At a server without nodes there are no volumes")
  func withoutNodes() async {
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.ports.dropFirst() + Show.session { router.happen(event) }
      router.wire()
      let volume = router.state.outputs["usb"]?.desktopVolume
      #expect(volume == nil)
      #expect(router.state.sessions["show"]?.streams["band"]?.programVolumes == [])
    }
    router.executor.stop()
  }
}
