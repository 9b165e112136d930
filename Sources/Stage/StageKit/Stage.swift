import JackClient
import Maths
import ServerInterface
public import SoundFiles
import SystemCalls

/// The simulated devices and sources at one server, by their names, and a client that sees and connects the ports of all programs.
///
/// Only one thread at a time may use a stage.
public final class Stage {
  private let server: String?
  private let control: JackClient
  private let clock: UnsafeMutablePointer<StageClock>
  private var clients: [String: SimulatedClient] = [:]
  private var recordings: [String: Recording] = [:]

  /// How long to wait for what must come, in seconds: a machine that is busy with other servers may leave a program without a processor.
  public static let patience = 30.0

  /// Joins a server.
  ///
  /// - Parameter name: the name of the stage's own client, which has no ports.
  /// - Throws: `StageError.jack`.
  public init(server: String?, name: String = "Stage") throws(StageError) {
    self.server = server
    do throws(JackError) {
      control = try JackClient(name: name, server: server)
      clock = .allocate(capacity: 1)
      clock.initialize(to: StageClock(cycle: control.cycle, sampleRate: control.sampleRate))
      try control.setProcess(countPeriod, clock)
      try control.activate()
    } catch {
      throw .jack(error)
    }
  }

  deinit {
    control.close()
    clock.deinitialize(count: 1)
    clock.deallocate()
  }

  /// The server's sample rate in Hz.
  public var sampleRate: Int { control.sampleRate }
  /// Frames per period.
  public var period: Int { control.period }

  // MARK: Devices and sources

  /// Plugs in a device.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addDevice(
    _ name: String, playback: Int, capture: [Signal] = [], captureLatency: Int = 0, playbackLatency: Int = 0
  ) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .device(
      name, server: server, playback: playback, capture: capture, captureLatency: captureLatency,
      playbackLatency: playbackLatency)
  }

  /// Lets the microphones of one device hear the loudspeakers of another device.
  ///
  /// - Parameters:
  ///   - delay: delay of the direct sound in frames, at least a period. It includes the latencies that the devices
  ///     declare.
  ///   - gain: level of the echo relative to the sound of the loudspeakers, in dB.
  ///   - isReverberant: false to replace the room by a cable.
  /// - Throws: `StageError.notPlugged`.
  public func makeRoom(
    microphones: String, loudspeakers: String, delay: Int, gain: Double, isReverberant: Bool = true
  ) throws(StageError) {
    let room = Room(
      delay: delay, gain: Float(pow(10, gain / 20)), rate: sampleRate, isReverberant: isReverberant)
    try client(microphones).hear(room)
    try client(loudspeakers).play(in: room)
  }

  /// Starts a source.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addSource(_ name: String, signals: [Signal]) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .source(name, server: server, signals: signals)
  }

  /// Starts a source and connects its ports to the playback ports of a device, in order.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addPlayer(_ name: String, signals: [Signal], at device: String) throws(StageError) {
    try addSource(name, signals: signals)
    for number in 1...signals.count {
      do throws(JackError) {
        try control.connect("\(name):out_\(number)", to: "\(device):playback_\(number)")
      } catch { throw .jack(error) }
    }
  }

  /// Starts a source that repeats a sound file.
  /// - Parameter channels: number of ports; nil for the file's number of channels.
  ///
  /// - Throws: `StageError.media`, `wrongRate`, `alreadyThere`, `jack`.
  public func addSource(_ name: String, file path: String, channels: Int? = nil) throws(StageError) {
    let sound = try Self.sound(at: path)
    guard sound.sampleRate == sampleRate else {
      throw .wrongRate(sound: sound.sampleRate, server: sampleRate)
    }
    let signals = Signal.channels(of: sound, count: channels ?? sound.channels.count)
    try addSource(name, signals: signals)
  }

  /// Reads a sound file.
  ///
  /// - Throws: `StageError.media`.
  public static func sound(at path: String) throws(StageError) -> SoundFile {
    do throws(MediaError) { return try SoundFile(path: path) } catch { throw .media(error) }
  }

  /// Starts a program with input ports `in_n` that plays nothing.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addListener(_ name: String, channels: Int) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .listener(name, server: server, channels: channels)
  }

  /// Starts a silent program with ports `in_n` and `out_n`. The program declares no latencies of its own.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addDuplex(_ name: String, channels: Int) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .duplex(
      name, server: server, signals: Array(repeating: .silence, count: channels))
  }

  /// Starts a silent client whose ports have the names of a real device or program.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addClient(_ name: String, layout: SimulatedClient.Layout) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .client(name, server: server, layout: layout)
  }

  /// The device or source with a name, whether it is plugged in or not.
  ///
  /// - Throws: `StageError.notPlugged` if no device or source of that name was added.
  public func client(_ name: String) throws(StageError) -> SimulatedClient {
    guard let client = clients[name] else { throw .notPlugged(name) }
    return client
  }

  /// Unplugs a device or stops a source. A recording continues when the device is plugged in again, and counts the gap
  /// as a jump.
  ///
  /// - Throws: `StageError.notPlugged`.
  public func unplug(_ name: String) throws(StageError) {
    let client = try client(name)
    guard client.isPlugged else { throw .notPlugged(name) }
    client.unplug()
  }

  /// Plugs a device in again, or starts a source again from its first frame.
  ///
  /// - Throws: `StageError.notPlugged` if no device or source of that name was ever added, `jack`.
  public func replug(_ name: String) throws(StageError) { try client(name).plug() }

  // MARK: Listening

  /// Starts to record the sound that a device receives.
  ///
  /// - Parameter room: number of frames that may wait until the disk has written them.
  /// - Throws: `StageError.notPlugged`, `alreadyThere` if the device is being recorded, `media`.
  public func record(_ name: String, path: String, room: Int = 1 << 18) throws(StageError) {
    guard recordings[name] == nil else { throw .alreadyThere("recording of \(name)") }
    recordings[name] = try Recording(client(name), path: path, room: room)
  }

  /// Ends a recording.
  ///
  /// - Throws: `StageError.notPlugged` if the device is not being recorded, `media`.
  public func stopRecording(_ name: String) throws(StageError) -> Recording.Report {
    guard let recording = recordings.removeValue(forKey: name) else {
      throw .notPlugged("recording of \(name)")
    }
    return try recording.stop()
  }

  /// Returns consecutive samples of one channel of a device, counted from 1. The server skips no frame meanwhile.
  ///
  /// - Throws: `StageError.notPlugged`, `noChannel`, `tooManyReaders`, `timeout`.
  public func hear(_ name: String, channel: Int, frames: Int) throws(StageError) -> [Float] {
    let client = try client(name)
    guard client.layout.inputs.indices.contains(channel - 1) else { throw .noChannel(channel, device: name) }
    return try hearUnbroken([client], frames: frames)[0][channel - 1]
  }

  /// Returns consecutive samples of several devices, of the same frames, by device and channel. The server skips no
  /// frame meanwhile.
  ///
  /// A server that gets no processor in time skips frames. A level of such a stretch says nothing about the clients, so
  /// the stage listens to another stretch.
  ///
  /// - Throws: `StageError.notPlugged`, `tooManyReaders`, `timeout`, also if the server skips frames in fifty stretches
  ///   in a row.
  private func hearUnbroken(
    _ clients: [SimulatedClient], frames: Int
  ) throws(StageError) -> [[[Float]]] {
    // The server's time may jump in the period before or after the skipped frames.
    let margin = period
    clock.pointee.beginWaiting()
    defer { clock.pointee.endWaiting() }
    for _ in 0..<50 {
      var listeners: [Listener] = []
      for client in clients { listeners.append(try Listener(client, room: frames + 2 * margin + 16_384)) }
      defer { for listener in listeners { listener.stop() } }
      var heard: [[[Float]]] = []
      for listener in listeners {
        heard.append(
          try listener.hear(frames: frames + 2 * margin).map { Array($0[margin..<margin + frames]) })
      }
      if listeners.allSatisfy({ $0.jumps == 0 }) { return heard }
    }
    throw .timeout("\(frames) frames in which the server leaves out nothing")
  }

  /// Records several devices at the same time, and returns the level of each frequency in dBFS, by device, channel and frequency.
  ///
  /// The server skips no frame meanwhile.
  ///
  /// - Parameter frequencies: Hz. The levels are exact to 0.001 dB if `frames` holds whole cycles of every frequency.
  /// - Throws: `StageError.notPlugged`, `tooManyReaders`, `timeout`.
  public func tones(
    _ names: [String], frequencies: [Double], frames: Int
  ) throws(StageError) -> [[[Double]]] {
    var clients: [SimulatedClient] = []
    for name in names { clients.append(try client(name)) }
    return try hearUnbroken(clients, frames: frames).map { device in
      device.map { samples in
        frequencies.map { SignalLevel.tone(samples, frequency: $0, sampleRate: sampleRate) }
      }
    }
  }

  /// Waits until a sample of a channel reaches a level, and returns the server's frame time of that sample.
  ///
  /// - Parameters:
  ///   - channel: counted from 1.
  ///   - level: dBFS.
  ///   - seconds: time limit.
  /// - Throws: `StageError.notPlugged`, `noChannel`, `tooManyReaders`, `timeout`.
  public func awaitSignal(
    _ name: String, channel: Int, level: Double, seconds: Double = patience
  ) throws(StageError) -> UInt32 {
    let client = try client(name)
    let channels = client.layout.inputs.count
    guard client.layout.inputs.indices.contains(channel - 1) else { throw .noChannel(channel, device: name) }
    let listener = try Listener(client, room: 1 << 17)
    defer { listener.stop() }
    let threshold = Float(pow(10, level / 20))
    clock.pointee.beginWaiting()
    defer { clock.pointee.endWaiting() }
    let deadline = Deadline(seconds: seconds)
    var heard = 0
    while !deadline.isOver {
      let samples = listener.take()
      let frames = samples.count / channels
      for frame in 0..<frames where abs(samples[frame * channels + channel - 1]) >= threshold {
        return (listener.startTime ?? 0) &+ UInt32(truncatingIfNeeded: heard + frame)
      }
      heard += frames
      if frames == 0 { System.sleep(seconds: 0.001) }
    }
    throw .timeout("\(level) dBFS at \"\(name)\" channel \(channel)")
  }

  /// Waits for a stretch of 20 ms in which a channel of a device has a tone at a level, within 0.1 dB.
  ///
  /// A resampler between two servers bends the frequency while it adapts to their clocks. The Hann window of 20 ms keeps such a
  /// tone within 0.1 dB as long as its frequency is right to 7 Hz.
  ///
  /// - Parameters:
  ///   - channel: counted from 1.
  ///   - frequency: Hz.
  ///   - level: dBFS.
  ///   - seconds: time limit.
  /// - Throws: `StageError.notPlugged`, `noChannel`, `tooManyReaders`, `timeout`.
  public func awaitTone(
    _ name: String, channel: Int, frequency: Double, level: Double, seconds: Double = patience
  ) throws(StageError) {
    let client = try client(name)
    guard client.layout.inputs.indices.contains(channel - 1) else { throw .noChannel(channel, device: name) }
    let listener = try Listener(client, room: 1 << 17)
    defer { listener.stop() }
    let deadline = Deadline(seconds: seconds)
    var last = SignalLevel.silence
    clock.pointee.beginWaiting()
    defer { clock.pointee.endWaiting() }
    while !deadline.isOver {
      let stretch = try listener.hear(frames: sampleRate / 50, stall: seconds)[channel - 1]
      last = SignalLevel.tone(stretch, frequency: frequency, sampleRate: sampleRate)
      if abs(last - level) < 0.1 { return }
    }
    throw .timeout(
      "\(frequency) Hz at \(level) dBFS at \"\(name)\" channel \(channel), at last \(last) dBFS,")
  }

  // MARK: The server

  /// Waits until a port of any program exists, or no longer exists.
  ///
  /// - Throws: `StageError.timeout`.
  public func awaitPort(_ fullName: String, present: Bool = true, seconds: Double = patience)
    throws(StageError)
  {
    let deadline = Deadline(seconds: seconds)
    while (control.port(named: fullName) != nil) != present {
      try awaitNotice(until: deadline, for: "port \"\(fullName)\" to \(present ? "come" : "go")")
    }
  }

  /// Waits until two ports are connected, or no longer connected.
  ///
  /// - Throws: `StageError.timeout`.
  public func awaitConnection(
    _ source: String, _ destination: String, present: Bool = true, seconds: Double = patience
  ) throws(StageError) {
    let deadline = Deadline(seconds: seconds)
    while control.connections(of: source).contains(destination) != present {
      let what = "\"\(source)\" to be \(present ? "connected to" : "disconnected from") \"\(destination)\""
      try awaitNotice(until: deadline, for: what)
    }
  }

  /// Waits for the next notice of the server, of any kind.
  private func awaitNotice(until deadline: Deadline, for what: String) throws(StageError) {
    guard !deadline.isOver else { throw .timeout(what) }
    // Some JACK libraries show a change only a moment after its notice, so the caller checks again after at most 50 ms.
    _ = try? System.poll(control.wakeDescriptor, milliseconds: 50)
    _ = control.takeNotices()
  }

  /// Connects two ports by full name.
  ///
  /// - Parameter seconds: time limit. The server refuses the connection until the clients of both ports are active, so
  ///   the stage tries again. Then the stage waits until the server shows the connection.
  /// - Throws: `StageError.jack`.
  public func connect(_ source: String, _ destination: String, seconds: Double = patience) throws(StageError)
  {
    let deadline = Deadline(seconds: seconds)
    while true {
      do throws(JackError) {
        try control.connect(source, to: destination)
        break
      } catch {
        guard case .connectionRefused = error, !deadline.isOver else { throw .jack(error) }
        // No notice says that a client has become active, so the stage tries again.
        System.sleep(seconds: 0.005)
      }
    }
    while !control.connections(of: source).contains(destination) {
      try awaitNotice(until: deadline, for: "\(source) to be connected to \(destination)")
    }
  }

  /// Removes a connection. Returns false if it did not exist.
  public func disconnect(_ source: String, _ destination: String) -> Bool {
    control.disconnect(source, from: destination)
  }

  /// Full names of all audio ports.
  public var portNames: [String] { control.ports().map(\.name) }

  /// Full names of the ports that a port is connected to.
  public func connections(of fullName: String) -> [String] { control.connections(of: fullName) }

  /// Smallest and largest latency in frames from a microphone to a port; nil if there is no such port.
  public func captureLatency(of fullName: String) -> ClosedRange<Int>? {
    control.latency(of: fullName, .capture).map { $0.minimum...max($0.minimum, $0.maximum) }
  }

  /// Smallest and largest latency in frames from a port to a loudspeaker; nil if there is no such port.
  public func playbackLatency(of fullName: String) -> ClosedRange<Int>? {
    control.latency(of: fullName, .playback).map { $0.minimum...max($0.minimum, $0.maximum) }
  }

  /// Makes the server process periods as fast as it can (freewheel), or in real time again.
  ///
  /// - Parameter name: the simulated program that makes the call; nil for the stage's own client.
  /// - Throws: `StageError.jack`, `notPlugged`.
  public func setFreewheel(_ on: Bool, by name: String? = nil) throws(StageError) {
    if let name { return try client(name).setFreewheel(on) }
    do throws(JackError) { try control.setFreewheel(on) } catch { throw .jack(error) }
  }

  /// Changes the period of the server, in frames.
  ///
  /// - Throws: `StageError.jack`.
  public func setPeriod(_ frames: Int) throws(StageError) {
    do throws(JackError) { try control.setPeriod(frames) } catch { throw .jack(error) }
  }

  /// Waits until the server has processed this many more frames, and returns their number since the stage joined the server.
  ///
  /// - Throws: `StageError.serverGone`, `timeout` if the server processes none for `patience`.
  public func await(frames: Int) throws(StageError) -> Int {
    let goal = control.cycle.pointee.frames + frames
    clock.pointee.beginWaiting()
    defer { clock.pointee.endWaiting() }
    var (last, deadline) = (0, Deadline(seconds: Self.patience))
    while control.cycle.pointee.frames < goal {
      let now = control.cycle.pointee.frames
      if now != last { (last, deadline) = (now, Deadline(seconds: Self.patience)) }
      _ = control.takeNotices()
      guard !control.isShutDown else { throw .serverGone }
      guard !deadline.isOver else { throw .timeout("the server to process \(frames) frames") }
      System.sleep(seconds: 0.0005)
    }
    return control.cycle.pointee.frames
  }
}

@c @_noLocks private func countPeriod(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  argument?.assumingMemoryBound(to: StageClock.self).pointee.process(frames: frames)
  return 0
}
