import JackClient
import JackHost
import JackServer
import MediaKernel
import MixEngine
import Rings
import ServerInterface
import SessionModel
import SoundFiles
import StageKit
import TestKit
import Testing
import Threads

/// The backend with the real engine on a real server. Each test has its own process, since a process can use
/// only one server.
@Suite struct JackBackendTests {
  @Test("Sound passes sample for sample to the sinks of its route, and to no other sink")
  func passesThrough() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let (rig, stage) = (
        try RouterRig(server: name, sources: 2, wires: [(0, 0), (1, 2)], delays: [0, 0, 0]),
        try StageProcess(server: name)
      )
      let folder = try TemporaryFolder()
      try stage.do("device \"USB Interface\" 3 0")
      try stage.do("source Counter 2 ramp")
      for channel in 1...2 { try stage.do("connect Counter:out_\(channel) multiroute:in_\(channel)") }
      for channel in 1...3 {
        try stage.do("connect multiroute:out_\(channel) \"USB Interface:playback_\(channel)\"")
      }
      try stage.do("freewheel on")
      try stage.do("frames 10000")
      try stage.do("record \"USB Interface\" \(folder.file("usb.wav")) 20")
      try stage.do("frames 240000")
      #expect(try stage.do("stop-record \"USB Interface\"").contains("dropped=0 jumps=0"))
      let heard = try SoundFile(path: folder.file("usb.wav")).channels
      #expect(SignalCheck.breaks(inRamp: heard[0]).isEmpty)
      #expect(SignalCheck.breaks(inRamp: heard[2]).isEmpty)
      #expect(heard[1].allSatisfy { $0 == 0 })
      #expect(rig.backend.framesProcessed >= 250_000)
      #expect(try #require(rig.backend.secondsWithoutPeriod) < 2)
    }
  }

  @Test("Rings are heard and recorded beside ports, sample for sample")
  func rings() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let (rig, stage) = (
        try RouterRig(server: name, sources: 1, wires: [], delays: [0]), try StageProcess(server: name)
      )
      let folder = try TemporaryFolder()
      try stage.do("device Speaker 1 0")
      try stage.do("source Counter 1 ramp")
      try stage.do("connect Counter:out_1 multiroute:in_1")
      try stage.do("connect multiroute:out_1 Speaker:playback_1")
      try stage.do("freewheel on")
      try stage.do("frames 10000")
      try stage.do("record Speaker \(folder.file("a.wav")) 60")
      let (played, recorded) = (
        RingStore(channels: 1, frames: 200_000), RingStore(channels: 1, frames: 200_000)
      )
      // A freewheeling server empties one ring and fills the other before this thread could do it again.
      let filled = played.write([(0..<played.capacity).map { Float($0 + 1) / 16_777_216 }])
      rig.publish(playing: played, recording: recorded)
      try stage.do("frames 300000")
      try stage.do("stop-record Speaker")
      let heard = try SoundFile(path: folder.file("a.wav")).channels[0].drop { $0 == 0 }
      #expect(SignalCheck.breaks(inRamp: Array(heard.prefix(filled))).isEmpty)
      #expect(heard.first == 1 / 16_777_216 && heard.count > filled)
      #expect(heard.dropFirst(filled).allSatisfy { $0 == 0 })
      #expect(played.framesRead == filled && played.missing > 0)
      // The last period that did not fit is left out as a whole.
      let samples = recorded.take()[0]
      #expect(samples.count > recorded.capacity - PrivateServer.period && recorded.dropped > 0)
      #expect(SignalCheck.breaks(inRamp: samples).isEmpty)
    }
  }

  @Test("While the server freewheels the audio waits for players' and recorders' disks, and not otherwise")
  func freewheelingMedia() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let (rig, stage) = (
        try RouterRig(server: name, sources: 0, wires: [], delays: []), try StageProcess(server: name)
      )
      let (player, recorder) = (DeckPairStore(channels: 1), RecorderTapStore(channels: 1))
      player.makePatches()
      recorder.makeRing(frames: 4_096)
      // This thread is both disks, and so slow that the server would not wait for it in real time.
      let total = 100_000
      var (written, heard) = (0, [Float]())
      func sound(_ frames: Int) -> [Float] {
        defer { written += frames }
        return (written..<written + frames).map { Float($0 + 1) / 16_777_216 }
      }
      player.reset(0, headRoom: 1_000)
      player.writeHead(0, interleaved: sound(1_000), frames: 1_000)
      player.makeRing(0, frames: 4_096)
      player.offer(0, generation: 1, at: nil, fade: 0)
      try stage.do("freewheel on")
      try stage.do("frames 10000")
      rig.publish(
        playing: player, DeckOrder(serial: 1, runs: true, generation: 1), recording: recorder,
        TapOrder(serial: 1, listens: true, records: true))
      let deadline = MonotonicTime.now + 20
      while heard.count < total, MonotonicTime.now < deadline {
        let room = min(player.room(0), total - written)
        if room > 0 { player.writeRing(0, interleaved: sound(room), frames: room) }
        if written == total, !player.isComplete(0) { player.complete(0) }
        MonotonicTime.pause(seconds: 0.002)
        var piece = [Float](repeating: 0, count: 4_096)
        let count = recorder.take(into: &piece, limit: min(4_096, total - heard.count))
        heard += piece.prefix(count)
      }
      #expect(heard.first == 1 / 16_777_216 && heard.count == total)
      #expect(SignalCheck.breaks(inRamp: heard).isEmpty)
      #expect(player.underruns == 0 && player.timeouts == 0 && recorder.lost == 0)
      // A full tap would hold the server up.
      let serial = rig.publishNothing()
      while rig.engine.adoptedSerial < serial, MonotonicTime.now < deadline {
        var piece = [Float](repeating: 0, count: 4_096)
        _ = recorder.take(into: &piece, limit: 4_096)
      }
      try stage.do("freewheel off")
      // A deck that nobody fills: in real time nothing waits.
      player.reset(1, headRoom: 1_000)
      player.writeHead(1, interleaved: [Float](repeating: 1, count: 1_000), frames: 1_000)
      player.offer(1, generation: 2, at: nil, fade: 0)
      rig.publish(
        playing: player, DeckOrder(serial: 2, runs: true, generation: 2), recording: recorder, TapOrder())
      try stage.do("frames 10000")
      #expect(player.underruns == 1 && player.timeouts == 0)
    }
  }

  @Test("A period that changes while sound flows loses one period at most", arguments: [37, 8192])
  func periodChange(frames: Int) async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String, frames] in
      let (rig, stage) = (
        try RouterRig(server: name, sources: 1, wires: [(0, 0)], delays: [0]), try StageProcess(server: name)
      )
      let folder = try TemporaryFolder()
      try stage.do("device Speaker 1 0")
      try stage.do("source Counter 1 ramp")
      try stage.do("connect Counter:out_1 multiroute:in_1")
      try stage.do("connect multiroute:out_1 Speaker:playback_1")
      try stage.do("freewheel on")
      try stage.do("frames 20000")
      try stage.do("record Speaker \(folder.file("a.wav")) 20")
      try stage.do("frames 20000")
      try stage.do("period \(frames)")
      try stage.do("frames 20000")
      try stage.do("stop-record Speaker")
      #expect(rig.awaitNotice { $0 == .periodChanged(frames) })
      #expect(rig.backend.period == frames)
      let breaks = SignalCheck.breaks(inRamp: try SoundFile(path: folder.file("a.wav")).channels[0])
      if let first = breaks.first, let last = breaks.last {
        #expect(last - first <= 2 * max(PrivateServer.period, frames))
      }
    }
  }

  @Test("Our ports declare the smallest and largest latency of their paths, delays included")
  func latencies() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let rig = try RouterRig(
        server: name, sources: 3, wires: [(0, 0), (0, 1), (1, 1)], delays: [100, 0, 0])
      let stage = try StageProcess(server: name)
      try stage.do("device Fast 1 1 64 32")
      try stage.do("device Slow 1 0 1000 0")
      try stage.do("connect Fast:capture_1 multiroute:in_1")
      try stage.do("connect multiroute:out_1 Fast:playback_1")
      try stage.do("connect multiroute:out_2 Slow:playback_1")
      #expect(rig.awaitNotice { $0 == .connectionsChanged })
      try rig.backend.publishPaths([
        .init(source: rig.sources[0], sink: rig.sinks[0], delay: 100),
        .init(source: rig.sources[0], sink: rig.sinks[1]), .init(source: rig.sources[1], sink: rig.sinks[1]),
      ])
      // To the loudspeaker: 64 + 100 through the first sink, 1000 through the second.
      #expect(rig.backend.playbackLatency(of: "multiroute:in_1") == 164...1_000)
      #expect(rig.backend.playbackLatency(of: "multiroute:in_2") == 1_000...1_000)
      #expect(rig.backend.playbackLatency(of: "multiroute:in_3") == 0...0)
      #expect(rig.backend.playbackLatency(of: "Slow:playback_1") == 1_000...1_000)
      // From the microphone: 32 plus the delay in the first sink. The second sink also has a source without
      // latency.
      #expect(rig.backend.captureLatency(of: "multiroute:out_1") == 132...132)
      #expect(rig.backend.captureLatency(of: "multiroute:out_2") == 0...32)
      #expect(rig.backend.captureLatency(of: "multiroute:out_3") == 0...0)
      // A connected client sees the same latency.
      #expect(try stage.do("latency Fast:playback_1 capture") == "minimum=132 maximum=132")
      try rig.backend.publishPaths([])
      #expect(rig.backend.playbackLatency(of: "multiroute:in_1") == 0...0)
    }
  }

  @Test("jack_iodelay measures one period plus exactly the delay that was set", arguments: [0, 1_000])
  func measuredDelay(delay: Int) async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String, delay] in
      let rig = try RouterRig(server: name, sources: 1, wires: [(0, 0)], delays: [delay])
      let stage = try StageProcess(server: name)
      let meter = try ChildProcess(
        "stdbuf", ["-oL", "jack_iodelay"], environment: ["JACK_DEFAULT_SERVER": name])
      try stage.do("await-port jack_delay:out")
      try stage.do("connect jack_delay:out multiroute:in_1")
      try stage.do("connect multiroute:out_1 jack_delay:in")
      // The first readings are inexact; the last one must be within a hundredth of a frame.
      var reading = 0.0
      while abs(reading - Double(PrivateServer.period + delay)) > 0.01,
        let line = meter.output.line(containing: " frames ", seconds: 10)
      { reading = line.split(separator: " ").first.flatMap { Double($0) } ?? 0 }
      #expect(abs(reading - Double(PrivateServer.period + delay)) <= 0.01)
      meter.send(signal: 15)
      _ = (meter.wait(), rig.backend.framesProcessed)
    }
  }

  @Test("The list has other clients' ports but not ours; ports appear and disappear under their names")
  func ports() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let rig = try RouterRig(server: name, sources: 1, wires: [], delays: [0])
      let stage = try StageProcess(server: name)
      try stage.do("device \"USB Interface\" 1 1")
      try stage.do("source klick 1 silence")
      #expect(rig.awaitNotice { $0 == .portsChanged })
      let expected: Set<SystemPort> = [
        SystemPort(name: "USB Interface:playback_1", isInput: true, isPhysical: true, isTerminal: true),
        SystemPort(name: "USB Interface:capture_1", isInput: false, isPhysical: true, isTerminal: true),
        SystemPort(name: "klick:out_1", isInput: false),
      ]
      var ports = rig.backend.systemPorts()
      #expect(Set(ports.map(\.uuid)).subtracting([0]).count == 3)
      for index in ports.indices { ports[index].uuid = 0 }
      #expect(Set(ports) == expected)
      #expect(rig.backend.clientName == "multiroute")
      #expect(rig.backend.fullName(of: rig.sources[0]) == "multiroute:in_1")
      try rig.backend.connect("klick:out_1", to: "multiroute:in_1")
      try rig.backend.connect("klick:out_1", to: "multiroute:in_1")
      #expect(rig.backend.connections(of: "klick:out_1") == ["multiroute:in_1"])
      #expect(rig.backend.disconnect("klick:out_1", from: "multiroute:in_1"))
      #expect(!rig.backend.disconnect("klick:out_1", from: "multiroute:in_1"))
      #expect(throws: JackError.noSuchPort("klick:out_9")) {
        try rig.backend.connect("klick:out_9", to: "multiroute:in_1")
      }
      #expect(throws: JackError.self) { try rig.backend.connect("klick:out_1", to: "multiroute:out_1") }
      rig.backend.setPrettyName("Click", of: rig.sources[0])
      rig.backend.unregisterPort(rig.sources[0])
      try stage.do("await-port multiroute:in_1 gone")
      #expect(rig.backend.fullName(of: rig.sources[0]) == nil)
    }
  }

  @Test("A server without room for more ports refuses the next one, and the other ports continue")
  func portsExhausted() async throws {
    let host = try await PrivateServer { $0.portLimit = 128 }
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let rig = try RouterRig(server: name, sources: 1, wires: [(0, 0)], delays: [0])
      var registered = 0
      let error = #expect(throws: JackError.self) {
        while registered < 1_000 {
          _ = try rig.backend.registerPort("more_\(registered)", isInput: true)
          registered += 1
        }
      }
      #expect(error == .portRefused("multiroute:more_\(registered)"))
      #expect(registered > 100)
      let before = rig.backend.framesProcessed
      let stage = try StageProcess(server: name)
      try stage.do("frames 4800")
      #expect(rig.backend.framesProcessed > before)
    }
  }

  @Test("A name that is taken gets a suffix, and one that is too long is refused")
  func clientNames() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let rig = try RouterRig(server: name, sources: 0, wires: [], delays: [])
      let twin = try JackBackend(name: "multiroute", server: name)
      #expect(twin.clientName == "multiroute-01")
      twin.close()
      let longest = String(repeating: "n", count: 63)
      let long = try JackBackend(name: longest, server: name)
      #expect(long.clientName == longest)
      long.close()
      #expect(throws: JackError.nameTooLong(longest + "n", limit: 63)) {
        try JackBackend(name: longest + "n", server: name)
      }
      #expect(rig.backend.clientName == "multiroute")
    }
  }

  @Test("The error names the server that does not exist")
  func noServer() async throws {
    await #expect(processExitsWith: .success) {
      #expect(throws: JackError.noServer("mrtest-absent")) {
        try JackBackend(name: "multiroute", server: "mrtest-absent")
      }
      #expect("\(JackError.noServer("mrtest-absent"))" == "no JACK server named \"mrtest-absent\" is running")
      #expect(JackMessages.take().contains { $0.isError })
    }
  }

  @Test("The server's end gives one notice, and the next server of that name gets the same ports")
  func restart() async throws {
    let host = try await PrivateServer()
    host.server.stop()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let server = DummyServer(DummyServer.Settings(name: name))
      try server.start()
      let rig = try RouterRig(server: name, sources: 1, wires: [(0, 0)], delays: [0])
      for round in 0..<6 {
        if round.isMultiple(of: 2) { server.stop() } else { server.kill() }
        #expect(rig.awaitNotice { if case .shutdown = $0 { true } else { false } })
        try server.start()
        try rig.reattach(server: name)
        #expect(rig.backend.clientName == "multiroute")
        let stage = try StageProcess(server: name)
        try stage.do("device Speaker 1 0")
        try stage.do("source Tone 1 sine 440 -20")
        try stage.do("connect Tone:out_1 multiroute:in_1")
        try stage.do("connect multiroute:out_1 Speaker:playback_1")
        try stage.do("wait-signal Speaker 1 -21")
      }
    }
  }

  @Test("The start and the end of freewheeling give a notice each")
  func freewheel() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let rig = try RouterRig(server: name, sources: 0, wires: [], delays: [])
      let stage = try StageProcess(server: name)
      try stage.do("freewheel on")
      #expect(rig.awaitNotice { $0 == .freewheel(true) })
      try stage.do("freewheel off")
      #expect(rig.awaitNotice { $0 == .freewheel(false) })
    }
  }
}
