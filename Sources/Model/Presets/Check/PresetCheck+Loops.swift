import JSON5
import SessionModel

extension PresetCheck {
  /// Reports sound that returns to its origin, as far as the names of ports show that.
  mutating func checkLoops() {
    for (id, session) in document.sessions {
      for (_, stream) in session.streams {
        for (port, destination) in stream.destinations { checkLoop(from: stream, to: port, destination) }
      }
      if let capture = session.capture { checkLoop(of: capture, in: id) }
    }
  }

  /// Reports a stream that goes to the same ports that feed it.
  private mutating func checkLoop(from stream: StreamEntry, to port: PortID, _ destination: DestinationEntry)
  {
    let taken = document.globs(of: port, .output)
    guard let from = stream.leaves["from"] else { return }
    let direct = from.globs.filter { taken.contains($0.value) }.map(\.place)
    let throughInputs = from.inputs.filter { input in
      document.globs(of: input.value, .input).contains(where: taken.contains)
    }.map(\.place)
    for place in direct + throughInputs {
      report(
        place,
        "the stream would feed itself: it goes to \(port.name.quoted), which has the same ports",
        fix: "name ports that only give sound, or send it elsewhere")
    }
  }

  /// Reports a capture that contains the output of the program that receives it.
  private mutating func checkLoop(of capture: CaptureEntry, in id: SessionID) {
    let receivers = capture.leaves["to"]?.globs.map(\.value) ?? []
    for (key, part) in capture.mix {
      let senders = senders(of: document.contribution(key))
      if senders.contains(where: receivers.contains) {
        report(
          part.place, "the capture would feed itself: \(key.quoted) comes from the ports that it goes to",
          fix: "leave \(key.quoted) out")
      } else if senders.contains(where: { sender in receivers.contains { $0.client == sender.client } }) {
        report(
          part.place, "\(key.quoted) comes from the program that receives the capture, which may hear itself",
          fix: "leave it out unless that is intended", severity: .warning)
      }
    }
  }

  private func senders(of part: Contribution?) -> [PortGlob] {
    switch part {
    case .session(let id):
      document.sessions[id]?.streams.values.flatMap { $0.leaves["from"]?.globs.map(\.value) ?? [] } ?? []
    case .input(let port): document.globs(of: port, .input)
    case nil: []
    }
  }
}

extension PresetDocument {
  /// The patterns of a device's JACK ports in one direction.
  func globs(of port: PortID, _ direction: Direction) -> [PortGlob] {
    ports[port]?.globs[direction]?.map(\.value) ?? []
  }
}
