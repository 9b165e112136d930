import JSON5
import SystemCalls

/// `multiroute setup`: prepares a new machine, and takes that back.
enum SetupCommand {
  struct Options: Equatable {
    var isUndo: Bool
    /// Whether every question is answered with yes.
    var agrees: Bool
    /// The address or network of the tablet; nil to ask.
    var guest: String?
    var oscPort, pagePort: Int?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      (isUndo, agrees) = (arguments.has(.undo), arguments.has(.yes))
      guest = arguments.text(.guest)
      (oscPort, pagePort) = (arguments.integer(.oscPort), arguments.integer(.pagePort))
      if isUndo, guest != nil || oscPort != nil || pagePort != nil {
        throw .usage(of: .setup, ["--undo takes back, and needs no address and no port"])
      }
    }
  }

  /// - Throws: `CommandFailure` usage without a terminal and `--yes`, unreadableFile if a file cannot be written, failure if the unit cannot be enabled.
  static func perform(
    _ options: Options, joining server: (String?) -> JoinedServer, _ context: Context
  ) throws(CommandFailure) {
    let console = context.console
    guard console.isInteractive || options.agrees else {
      throw .usage(of: .setup, ["it asks, and here is no terminal; --yes answers every question"])
    }
    var interview = Interview(console)
    func agrees(_ question: String) throws(CommandFailure) -> Bool {
      if options.agrees { return true }
      return try interview.agrees(to: question)
    }
    var record = try SetupRecord(context)
    if options.isUndo {
      guard !record.isEmpty else { return console.tell("multiroute: no setup is to be undone.") }
      guard try agrees("Take back what setup did: \(record.summary)?") else { return }
      return try record.undo(console)
    }
    var machine = MachineReader().machine(home: context.environment["HOME"])
    machine.serverName = context.environment["JACK_DEFAULT_SERVER"] ?? Machine.usualServer
    machine.server = server(nil)
    DoctorReport(machine, checks: DoctorCheck.ofNewMachine).print(on: console)
    console.print("")

    var guest = options.guest ?? ""
    if guest.isEmpty, !options.agrees {
      guest = try interview.ask(
        "The address of a tablet or its network that may control, or none", usual: "none")
    }
    if !guest.isEmpty, guest != "none" {
      var (osc, page) = (options.oscPort ?? 9440, options.pagePort ?? 9480)
      if !options.agrees {
        osc = try port(interview.ask("The port for OSC", usual: "\(osc)"))
        page = try port(interview.ask("The port for the page", usual: "\(page)"))
      }
      let text = configuration(guest: guest, osc: osc, page: page)
      let path = context.folders.configurations[0]
      let (read, problems) = ConfigurationReader.read(
        Array(text.utf8), file: "the answer", environment: context.environment)
      guard read != nil else { throw CommandFailure(.usage, problems.map(\.description)) }
      if Files.isFile(path) {
        console.tell("multiroute: \(path) exists and stays as it is; for the tablet it needs:")
        console.print(text)
      } else if try agrees("Write \(path), which opens OSC and the page to \(guest)?") {
        try record.write(text, to: path)
        console.tell("multiroute: wrote \(path); the page is at port \(page), OSC at port \(osc)")
      }
    }
    guard !record.hasUnit, try agrees("Start the router at each login (\(SetupRecord.unit))?") else { return }
    try record.enable(console)
  }

  private static func port(_ text: String) throws(CommandFailure) -> Int {
    guard let port = PlainNumber.integer(text), (1...65_535).contains(port) else {
      throw .usage(of: .setup, ["'\(text)' is no port; write a whole number from 1 to 65535"])
    }
    return port
  }

  /// The configuration for one tablet, or a network of them.
  static func configuration(guest: String, osc: Int, page: Int) -> String {
    // A socket of IPv6 receives no IPv4, which programs of this machine mostly use.
    let (places, host) =
      guest.contains(":")
      ? (#""127.0.0.1:\#(osc)", "[::]:\#(osc)""#, "[::]") : (#""0.0.0.0:\#(osc)""#, "0.0.0.0")
    return """
      // Written by multiroute setup; multiroute setup --undo removes it, unless it was edited.
      {
        "multiroute": 1,
        // Open to the network, and only these hosts get an answer.
        "osc": [\(places)],
        "http": "\(host):\(page)",
        "hosts": { \(JSONValue.string(guest).text.dropLast()): "control" },
      }

      """
  }
}
