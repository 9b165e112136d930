import ServerInterface
import SessionModel

extension Router {
  /// Tells the law the volumes that the desktop's mixer has set for the devices, and for the programs of sessions.
  func noteDesktopVolumes(_ wanted: WantedLinks, _ system: [SystemPort]) {
    // A server without nodes has no mixer, and the law forgets all volumes with the server.
    guard system.contains(where: { $0.node != nil }) else { return }
    var volumes: [String: DesktopVolume] = [:]
    // A monitor repeats the sound before the volume of its device.
    for port in system where !port.isMonitor {
      guard let volume = port.node?.volume else { continue }
      volumes[port.name] = DesktopVolume(percent: volume.percent, isMuted: volume.isMuted)
    }
    for direction in [Direction.output, .input] {
      for port in state[direction].values {
        let volume = Self.loudest(port.members.compactMap { name in name.flatMap { volumes[$0] } })
        if volume != port.desktopVolume { happen(.desktopVolume(direction, port.id, volume)) }
      }
    }
    for session in state.sessions.values {
      for stream in session.streams.values {
        let sources = wanted.sources[StreamAddress(session: session.id, stream: stream.id)] ?? []
        let programs = Self.programs(sources, volumes)
        if programs != stream.programVolumes { happen(.programVolumes(session.id, stream.id, programs)) }
      }
      let recorders = Self.programs(wanted.sinks[session.id] ?? [], volumes)
      if recorders != session.recorderVolumes { happen(.recorderVolumes(session.id, recorders)) }
    }
  }

  /// The volume of a port whose JACK ports belong to several devices; nil if none of these has a volume.
  private static func loudest(_ volumes: [DesktopVolume]) -> DesktopVolume? {
    volumes.max { ($0.isMuted ? -1 : $0.percent) < ($1.isMuted ? -1 : $1.percent) }
  }

  /// The programs that own JACK ports, each once. A program that uses JACK has no volume in the mixer.
  private static func programs(_ ports: [String], _ volumes: [String: DesktopVolume]) -> [ProgramVolume] {
    var programs: [ProgramVolume] = []
    for port in ports {
      let program = ProgramVolume(String(port.prefix { $0 != ":" }), volumes[port] ?? .full)
      if !programs.contains(program) { programs.append(program) }
    }
    return programs
  }
}
