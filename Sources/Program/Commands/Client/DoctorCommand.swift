import OSC
import SessionModel

/// `multiroute doctor`: finds programs that play past the router, and says what keeps each from connecting itself.
enum DoctorCommand {
  /// A problem, and what mends it.
  struct Finding: Equatable {
    var what: String
    var cure: String
    /// Whether it is heard now.
    var isHeard = false
  }

  static func perform(_ options: ClientOptions, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options)
    let ports = try RouterReport.jackPorts(&link)
    let report = try RouterReport(&link, options.router)
    let findings = strangers(report) + past(report) + selfConnecting(ports)
    for finding in findings {
      context.console.print("\(finding.isHeard ? "NOW: " : "")\(finding.what)")
      context.console.print("  \(finding.cure)")
    }
    if findings.isEmpty {
      context.console.print("Nothing is heard past the router, and no known program connects itself.")
    }
    if findings.contains(where: \.isHeard) { throw CommandFailure(.failure) }
  }

  /// Programs that play at devices and belong to no session.
  private static func strangers(_ report: RouterReport) -> [Finding] {
    report.direct.map { program in
      Finding(
        what: "\(program.client) plays at \(program.sinks.joined(separator: ", ")) and belongs to no session",
        cure: "quit it, or give it a session: \"from\": [\"\(program.client):*\"]", isHeard: true)
    }
  }

  /// Sessions whose programs are also connected past the router.
  private static func past(_ report: RouterReport) -> [Finding] {
    report.sessions.filter { $0.values["direct"]?.first?.integer == 1 }.map { session in
      let parts = (session.values["why"]?.first?.plain ?? "").split(separator: "; ")
      return Finding(
        what: "\(session.id): \(parts.filter { $0.hasPrefix("also ") }.joined(separator: "; "))",
        cure:
          "write \"exclusive\": true in its streams and \"sole\": true in its capture, or disconnect these ports",
        isHeard: true)
    }
  }

  /// Programs that connect themselves when they start. An exclusive stream frees them within two periods; without a connection there is nothing to free.
  private static func selfConnecting(_ ports: [RouterReport.JackPort]) -> [Finding] {
    var clients: [String] = []
    for port in ports where port.owner == nil && !clients.contains(port.client) {
      clients.append(port.client)
    }
    let known = clients.compactMap { client in
      cures.first { client.lowercased().hasPrefix($0.program) }.map { cure in
        Finding(what: "\(client) connects itself when it starts", cure: cure.text)
      }
    }
    guard ports.contains(where: { !$0.names.isEmpty && $0.owner == nil }) else { return known }
    return known + [
      Finding(
        what: "PipeWire's session manager connects each program to the default device",
        cure: "multiroute presets show PRESET --wireplumber prints a script that keeps it from that")
    ]
  }

  /// What keeps a program from connecting itself; docs/programs.md has a recipe for each.
  private static let cures: [(program: String, text: String)] = [
    ("mpv", "start it with --jack-connect=no"),
    ("baresip", "write jack_connect_ports no in its configuration"),
    ("jacktrip", "start it with -D"),
    ("vlc", "start it with --no-jack-auto-connect"),
    ("mplayer", "start it with -ao jack:noconnect"),
    ("gst", "write jackaudiosink connect=none"),
    ("fluidsynth", "start it with -o audio.jack.autoconnect=0"),
  ]
}
