import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite struct WantedLinksTests {
  private func links(_ state: RouterState, _ system: [SystemPort]) -> Set<[String]> {
    Set(WantedLinks(state, system, client: "multiroute").links.map { [$0.link.source, $0.link.sink] })
  }

  @Test(
    "The k-th port of a program feeds channel k, a single port feeds all channels, and surplus ports feed none"
  )
  func channels() throws {
    let state = try Show.standard()
    let wanted = links(state, Show.devices + Show.program("Band", 3) + Show.program("Click", 1))
    let toDevices =
      (1...4).map { ["multiroute:to-usb_\($0)", "USB:playback_\($0)"] }
      + (1...2).map { ["multiroute:to-headphones_\($0)", "Headphones:playback_\($0)"] }
    #expect(
      wanted
        == Set(
          toDevices + [
            ["Mic:capture_1", "multiroute:from-mic_1"], ["Band:out_1", "multiroute:show.band_1"],
            ["Band:out_2", "multiroute:show.band_2"], ["Click:out_1", "multiroute:show.click_1"],
          ]))
    let single = links(state, Show.program("Band", 1))
    #expect(
      single.isSuperset(of: [
        ["Band:out_1", "multiroute:show.band_1"], ["Band:out_1", "multiroute:show.band_2"],
      ]))
  }

  @Test("All programs that a glob matches feed the stream, and two globs for one port make one connection")
  func several() throws {
    let state = try Show.standard(
      .stream(
        "show", "band", .sources([.ports(ProgramPorts("*:out_1")!), .ports(ProgramPorts("Band:out_1")!)])))
    let wanted = WantedLinks(state, Show.program("Band", 1) + Show.program("Choir", 1), client: "multiroute")
      .links
      .filter { $0.link.sink == "multiroute:show.band_1" }
    #expect(wanted.map(\.link.source) == ["Band:out_1", "Choir:out_1"])
  }

  @Test(
    "A second instance stands in for a program that has quit, unless there are two of them, or another stream names it"
  )
  func standIn() throws {
    func sources(_ programs: String..., click: String = "Click:out_1") throws -> Set<String> {
      let state = try Show.standard(
        .stream("show", "click", .sources([.ports(ProgramPorts(click)!)])))
      let links = WantedLinks(state, programs.flatMap { Show.program($0, 2) }, client: "multiroute").links
      return Set(links.filter { $0.link.sink.contains(":show.band_") }.map(\.link.source))
    }
    #expect(try sources("Band", "Band-01") == ["Band:out_1", "Band:out_2"])
    #expect(try sources("Band-01") == ["Band-01:out_1", "Band-01:out_2"])
    #expect(try sources("Band-01", "Band-02") == [])
    #expect(try sources("Bandage-01", "Band-", "Band-x") == [])
    #expect(try sources("Band-01", click: "Band-01:out_1") == [])
  }

  @Test("A list of exact names is stereo: the first name feeds channel 1, the second one channel 2")
  func exactNames() throws {
    let names = ["Band:out_2", "Band:out_1"].map { StreamSource.ports(ProgramPorts($0)!) }
    let state = try Show.standard(
      .stream("show", "band", .sources(names)), .session("show", .captureChannels(2)),
      .session(
        "show", .captureDestinations([ProgramPorts("Recorder:in_3")!, ProgramPorts("Recorder:in_1")!])))
    let recorder = (1...3).map { SystemPort(name: "Recorder:in_\($0)", isInput: true) }
    let wanted = links(state, Show.program("Band", 4) + recorder).filter {
      $0[0].hasPrefix("Band:") || $0[1].hasPrefix("Recorder:")
    }
    #expect(
      wanted == [
        ["Band:out_2", "multiroute:show.band_1"], ["Band:out_1", "multiroute:show.band_2"],
        ["multiroute:show.capture_1", "Recorder:in_3"], ["multiroute:show.capture_2", "Recorder:in_1"],
      ])
  }

  /// The two ports of a browser's tab at PipeWire.
  private func tab(_ number: Int, playing media: String) -> [SystemPort] {
    ["FL", "FR"].map { channel in
      var port = SystemPort(
        name: "Chromium:output_\(channel)\(number == 1 ? "" : "-\(number)")", isInput: false)
      port.origin = .node(
        SystemNode(
          name: "Chromium",
          properties: [
            "application.name": "Chromium", "media.name": media, "media.class": "Stream/Output/Audio",
            "object.serial": "\(number)",
          ]))
      return port
    }
  }

  private func feeds(_ sources: String..., system: [SystemPort]) throws -> Set<[String]> {
    let state = try Show.standard(.stream("show", "band", .sources(sources.map { StreamSource($0)! })))
    return Set(
      WantedLinks(state, system, client: "multiroute").links.map(\.link).filter {
        $0.sink.contains(":show.band_")
      }
      .map { [$0.source, String($0.sink.suffix(1))] })
  }

  @Test("Two tabs of one JACK name are each stereo, and what a tab plays tells them apart")
  func tabs() throws {
    let tabs = tab(1, playing: "Film") + tab(2, playing: "Radio")
    let film: Set = [["Chromium:output_FL", "1"], ["Chromium:output_FR", "2"]]
    let radio: Set = [["Chromium:output_FL-2", "1"], ["Chromium:output_FR-2", "2"]]
    #expect(try feeds("Chromium:*", system: tabs) == film.union(radio))
    #expect(try feeds("{media=Film}", system: tabs) == film)
    #expect(try feeds("{application=Chrom*,media=R*}*:*", system: tabs) == radio)
    #expect(
      try feeds(
        "{media=Film}",
        system: tabs.map { port in
          var port = port
          port.origin = .awaited
          return port
        }) == [])
  }

  @Test(
    "A port whose node is not told yet feeds no channel if a program of its name is there, and all of a new program do"
  )
  func awaited() throws {
    var (known, late) = (tab(1, playing: "Film"), tab(2, playing: "Radio"))
    for index in late.indices { late[index].origin = .awaited }
    let radio: Set = [["Chromium:output_FL-2", "1"], ["Chromium:output_FR-2", "2"]]
    #expect(try feeds("Chromium:*", system: late) == radio)
    #expect(try feeds("Chromium:*", system: known + late) == feeds("Chromium:*", system: known))
    known[1].origin = .awaited
    #expect(
      try feeds("Chromium:*", system: known) == [["Chromium:output_FL", "1"], ["Chromium:output_FL", "2"]])
    #expect(try feeds("2=Chromium:output_FR", system: known) == [["Chromium:output_FR", "2"]])
  }

  @Test("Without nodes the application is the JACK client, and devices are not programs")
  func application() throws {
    let system = Show.devices + Show.program("Band", 2)
    #expect(try feeds("{application=Band}", system: system) == [["Band:out_1", "1"], ["Band:out_2", "2"]])
    #expect(try feeds("{application=*}", system: system) == [["Band:out_1", "1"], ["Band:out_2", "2"]])
    #expect(try feeds("{media=*?}", system: system) == [])
  }

  @Test("Channels can be given by hand, and the router tells which channels and ports are left over")
  func byHand() throws {
    let state = try Show.standard(
      .stream("show", "band", .sources([StreamSource("2=Band:out_1")!, StreamSource("2=Band:out_3")!])),
      .session("show", .captureChannels(2)),
      .session("show", .captureDestinations([ProgramPorts("1=Recorder:in_2")!])))
    let recorder = (1...2).map { SystemPort(name: "Recorder:in_\($0)", isInput: true) }
    let wanted = WantedLinks(state, Show.program("Band", 3) + recorder, client: "multiroute")
    let links = wanted.links.map(\.link).filter {
      !$0.source.hasPrefix("multiroute:to-") && !$0.source.hasPrefix("Mic:")
    }
    #expect(
      links.map { [$0.source, $0.sink] } == [
        ["Band:out_1", "multiroute:show.band_2"], ["Band:out_3", "multiroute:show.band_2"],
        ["multiroute:show.capture_1", "Recorder:in_2"],
      ])
    #expect(wanted.gaps[StreamAddress(session: "show", stream: "band")] == ChannelGaps(channels: [1]))
    #expect(wanted.captureGaps["show"] == ChannelGaps(channels: [2]))
    let surplus = WantedLinks(try Show.standard(), Show.program("Band", 3), client: "multiroute")
    #expect(
      surplus.gaps[StreamAddress(session: "show", stream: "band")] == ChannelGaps(ports: ["Band:out_3"]))
  }

  @Test("A bridge keeps its connections while it is unplugged, so that a recall can fade it out")
  func unpluggedBridge() throws {
    var state = try Show.standard(.port(.output, "usb", .plugged(false)))
    let far = Bridge.Far.card(Bridge.Card(device: "hw:USB"))
    state.outputs["usb"]?.bridge = Bridge(.output, channels: 4, to: far)
    let links = WantedLinks(state, Show.devices, client: "multiroute").links
    #expect(links.contains { $0.owner == .output("usb") })
  }

  @Test("A port that the operator has unplugged has no connections")
  func unplugged() throws {
    let state = try Show.standard(.port(.output, "usb", .plugged(false)))
    #expect(!links(state, Show.devices).contains { $0[1].hasPrefix("USB:") })
  }

  @Test(
    "Channel k of a capture feeds the k-th port of a program, and a single channel feeds all ports",
    arguments: [1, 2])
  func captures(channels: Int) throws {
    let state = try Show.standard(
      .session("show", .captureChannels(channels)),
      .session("show", .captureDestinations([ProgramPorts("Recorder:*")!])))
    let system = (1...3).map { SystemPort(name: "Recorder:in_\($0)", isInput: true) }
    let expected =
      channels == 1
      ? [
        ["multiroute:show.capture_1", "Recorder:in_1"], ["multiroute:show.capture_1", "Recorder:in_2"],
        ["multiroute:show.capture_1", "Recorder:in_3"],
      ]
      : [["multiroute:show.capture_1", "Recorder:in_1"], ["multiroute:show.capture_2", "Recorder:in_2"]]
    #expect(links(state, system).filter { $0[0].contains(".capture") } == Set(expected))
  }

  @Test(
    "The monitor of an output does not feed a stream that goes there, unless the operator allows the loop")
  func monitors() throws {
    let system =
      Show.devices
      + (1...2).map { SystemPort(name: "USB:monitor_\($0)", isInput: false, isPhysical: true) }
    let address = StreamAddress(session: "show", stream: "band")
    func wanted(_ more: Event...) throws -> WantedLinks {
      let sources = Event.stream("show", "band", .sources([.ports(ProgramPorts("USB:monitor_*")!)]))
      return WantedLinks(
        try Show.state([sources] + more, from: try Show.standard()), system, client: "multiroute")
    }
    let link = Link(source: "USB:monitor_1", sink: "multiroute:show.band_1")
    let loop = try wanted()
    #expect(!loop.contains(link) && loop.loops == [address: ["usb"]])
    let allowed = try wanted(.stream("show", "band", .loop(true)))
    #expect(allowed.contains(link) && allowed.loops.isEmpty)
    // At another output it is what the headphones get of the interface.
    let elsewhere = try wanted(.stream("show", "band", .route(try StreamRoute("headphones"))))
    #expect(elsewhere.contains(link) && elsewhere.loops.isEmpty)
  }
}
