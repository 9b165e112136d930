import Glibc
import JackClient
import Media

/// Simulated devices and sources by name at one server, and a client of its own that sees and connects everybody's ports.
///
/// Belongs to one thread at a time.
public final class Stage {
  private let server: String?
  private let control: JackClient
  private var clients: [String: SimulatedClient] = [:]
  private var recordings: [String: Recording] = [:]

  /// Joins a server.
  ///
  /// - Parameter name: name of the stage's own client, which has no ports.
  /// - Throws: `StageError.jack`.
  public init(server: String?, name: String = "Stage") throws(StageError) {
    self.server = server
    do throws(JackError) {
      control = try JackClient(name: name, server: server)
      try control.setProcess(countPeriod, control.cycle)
      try control.activate()
    } catch {
      throw .jack(error)
    }
  }

  /// Hz.
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

  /// Starts a source.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addSource(_ name: String, signals: [Signal]) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .source(name, server: server, signals: signals)
  }

  /// Starts a source that repeats a sound file; `channels` nil takes the file's.
  ///
  /// - Throws: `StageError.media`, `wrongRate`, `alreadyThere`, `jack`.
  public func addSource(_ name: String, file path: String, channels: Int? = nil) throws(StageError) {
    let sound: SoundFile
    do throws(MediaError) { sound = try SoundFile(path: path) } catch { throw .media(error) }
    guard sound.sampleRate == sampleRate else {
      throw .wrongRate(sound: sound.sampleRate, server: sampleRate)
    }
    let signals = Signal.channels(of: sound, count: channels ?? sound.channels.count)
    try addSource(name, signals: signals)
  }

  /// Starts a program with ports `in_n` that only listens.
  ///
  /// - Throws: `StageError.alreadyThere`, `jack`.
  public func addListener(_ name: String, channels: Int) throws(StageError) {
    guard clients[name] == nil else { throw .alreadyThere(name) }
    clients[name] = try .listener(name, server: server, channels: channels)
  }

  /// A device or source, plugged in or not.
  ///
  /// - Throws: `StageError.notPlugged` if none of that name was added.
  public func client(_ name: String) throws(StageError) -> SimulatedClient {
    guard let client = clients[name] else { throw .notPlugged(name) }
    return client
  }

  /// Unplugs a device or stops a source; its recording goes on when it is back, and counts the gap as a jump.
  ///
  /// - Throws: `StageError.notPlugged`.
  public func unplug(_ name: String) throws(StageError) {
    let client = try client(name)
    guard client.isPlugged else { throw .notPlugged(name) }
    client.unplug()
  }

  /// Plugs a device in again, or starts a source again from its first frame.
  ///
  /// - Throws: `StageError.notPlugged` if it was never there, `jack`.
  public func replug(_ name: String) throws(StageError) { try client(name).plug() }

  // MARK: Listening

  /// Starts to record what a device receives.
  ///
  /// - Parameter room: frames that may wait for the disk.
  /// - Throws: `StageError.notPlugged`, `alreadyThere` if it is being recorded, `media`.
  public func record(_ name: String, path: String, room: Int = 1 << 18) throws(StageError) {
    guard recordings[name] == nil else { throw .alreadyThere("recording of \(name)") }
    recordings[name] = try Recording(client(name), path: path, room: room)
  }

  /// Ends a recording.
  ///
  /// - Throws: `StageError.notPlugged` if there is none, `media`.
  public func stopRecording(_ name: String) throws(StageError) -> Recording.Report {
    guard let recording = recordings.removeValue(forKey: name) else {
      throw .notPlugged("recording of \(name)")
    }
    return try recording.stop()
  }

  /// Hears one channel of a device, counted from 1, from the next period on.
  ///
  /// - Throws: `StageError.notPlugged`, `noChannel`, `tooManyReaders`, `timeout`.
  public func hear(_ name: String, channel: Int, frames: Int) throws(StageError) -> [Float] {
    let client = try client(name)
    guard client.layout.inputs.indices.contains(channel - 1) else { throw .noChannel(channel, device: name) }
    let listener = try Listener(client, room: frames + 16_384)
    defer { listener.stop() }
    return try listener.hear(frames: frames)[channel - 1]
  }

  /// Hears several devices at the same time; the level of each frequency in dBFS, by device, channel and frequency.
  ///
  /// - Parameter frequencies: Hz; exact to 0.001 dB beside each other where a stretch holds whole cycles of all of them.
  /// - Throws: `StageError.notPlugged`, `tooManyReaders`, `timeout`.
  public func tones(
    _ names: [String], frequencies: [Double], frames: Int
  ) throws(StageError) -> [[[Double]]] {
    var listeners: [Listener] = []
    for name in names { listeners.append(try Listener(client(name), room: frames + 16_384)) }
    defer { for listener in listeners { listener.stop() } }
    var levels: [[[Double]]] = []
    for listener in listeners {
      levels.append(
        try listener.hear(frames: frames).map { samples in
          frequencies.map { SignalLevel.tone(samples, frequency: $0, sampleRate: sampleRate) }
        })
    }
    return levels
  }

  /// Waits until a sample of a channel, counted from 1, reaches a level; returns the server's frame time of that sample.
  ///
  /// - Parameters:
  ///   - level: dBFS.
  ///   - seconds: how long to wait at most.
  /// - Throws: `StageError.notPlugged`, `noChannel`, `tooManyReaders`, `timeout`.
  public func awaitSignal(
    _ name: String, channel: Int, level: Double, seconds: Double
  ) throws(StageError) -> UInt32 {
    let client = try client(name)
    let channels = client.layout.inputs.count
    guard client.layout.inputs.indices.contains(channel - 1) else { throw .noChannel(channel, device: name) }
    let listener = try Listener(client, room: 1 << 17)
    defer { listener.stop() }
    let threshold = Float(pow(10, level / 20))
    let deadline = Deadline(seconds: seconds)
    var heard = 0
    while !deadline.isOver {
      let samples = listener.take()
      let frames = samples.count / channels
      for frame in 0..<frames where abs(samples[frame * channels + channel - 1]) >= threshold {
        return (listener.startTime ?? 0) &+ UInt32(truncatingIfNeeded: heard + frame)
      }
      heard += frames
      if frames == 0 { usleep(1_000) }
    }
    throw .timeout("\(level) dBFS at \"\(name)\" channel \(channel)")
  }

  // MARK: The server

  /// Waits for a port of anybody's, or for its going.
  ///
  /// - Throws: `StageError.timeout`.
  public func awaitPort(_ fullName: String, present: Bool = true, seconds: Double = 5) throws(StageError) {
    let deadline = Deadline(seconds: seconds)
    while (control.port(named: fullName) != nil) != present {
      try awaitNotice(until: deadline, for: "port \"\(fullName)\" to \(present ? "come" : "go")")
    }
  }

  /// Waits until two ports are connected, or no longer.
  ///
  /// - Throws: `StageError.timeout`.
  public func awaitConnection(
    _ source: String, _ destination: String, present: Bool = true, seconds: Double = 5
  ) throws(StageError) {
    let deadline = Deadline(seconds: seconds)
    while control.connections(of: source).contains(destination) != present {
      let what = "\"\(source)\" to be \(present ? "connected to" : "disconnected from") \"\(destination)\""
      try awaitNotice(until: deadline, for: what)
    }
  }

  /// Sleeps until the server tells something, whatever it is.
  private func awaitNotice(until deadline: Deadline, for what: String) throws(StageError) {
    guard !deadline.isOver else { throw .timeout(what) }
    var descriptor = pollfd(fd: control.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    // Not for ever: a library may publish a change a moment after it told of it.
    poll(&descriptor, 1, 50)
    _ = control.takeNotices()
  }

  /// Connects two ports by full name.
  ///
  /// - Parameter seconds: how long to try again while the server refuses, as it does until the ports' clients are active, and to
  ///   wait until it shows the connection.
  /// - Throws: `StageError.jack`.
  public func connect(_ source: String, _ destination: String, seconds: Double = 2) throws(StageError) {
    let deadline = Deadline(seconds: seconds)
    while true {
      do throws(JackError) {
        try control.connect(source, to: destination)
        break
      } catch {
        guard case .connectionRefused = error, !deadline.isOver else { throw .jack(error) }
        // The server tells nobody when a client becomes active.
        usleep(5_000)
      }
    }
    while !control.connections(of: source).contains(destination) {
      try awaitNotice(until: deadline, for: "\(source) to be connected to \(destination)")
    }
  }

  /// Takes a connection away; false if there was none.
  public func disconnect(_ source: String, _ destination: String) -> Bool {
    control.disconnect(source, from: destination)
  }

  /// Full names of all audio ports.
  public var portNames: [String] { control.ports().map(\.name) }

  /// Full names of what a port is connected to.
  public func connections(of fullName: String) -> [String] { control.connections(of: fullName) }

  /// Smallest and largest latency from the world to a port, in frames; nil if there is no such port.
  public func captureLatency(of fullName: String) -> ClosedRange<Int>? {
    control.latency(of: fullName, .capture).map { $0.minimum...max($0.minimum, $0.maximum) }
  }

  /// Smallest and largest latency from a port to the world, in frames; nil if there is no such port.
  public func playbackLatency(of fullName: String) -> ClosedRange<Int>? {
    control.latency(of: fullName, .playback).map { $0.minimum...max($0.minimum, $0.maximum) }
  }

  /// Makes the server run as fast as it can, or in real time again.
  ///
  /// - Throws: `StageError.jack`.
  public func setFreewheel(_ on: Bool) throws(StageError) {
    do throws(JackError) { try control.setFreewheel(on) } catch { throw .jack(error) }
  }

  /// Changes the period of the server, in frames.
  ///
  /// - Throws: `StageError.jack`.
  public func setPeriod(_ frames: Int) throws(StageError) {
    do throws(JackError) { try control.setPeriod(frames) } catch { throw .jack(error) }
  }

  /// Waits until the server has processed this many frames from now on; returns its count since the stage joined.
  ///
  /// - Throws: `StageError.timeout` if it stands still for five seconds.
  public func await(frames: Int) throws(StageError) -> Int {
    let goal = control.cycle.pointee.frames + frames
    var (last, deadline) = (0, Deadline(seconds: 5))
    while control.cycle.pointee.frames < goal {
      let now = control.cycle.pointee.frames
      if now != last { (last, deadline) = (now, Deadline(seconds: 5)) }
      guard !deadline.isOver else { throw .timeout("the server to process \(frames) frames") }
      usleep(500)
    }
    return control.cycle.pointee.frames
  }
}

/// The process callback of a client without ports: it only counts.
@c @_noLocks private func countPeriod(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let cycle = argument?.assumingMemoryBound(to: JackCycle.self) {
    _ = cycle.pointee.enter(frames: frames)
    cycle.pointee.leave(frames: frames)
  }
  return 0
}
